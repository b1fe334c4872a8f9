import { describe, expect, it } from 'vitest'
import { environmentKeys, failureOf, keyList, segmentAccount } from '../segments/test/segment-account.ts'

/** Maximum number of entries of a standard segment. */
const standardSize = 15_000

const contextKeys = ['user-0', 'user-14999', 'out', 'absent']

type StoredBody = Readonly<Record<string, unknown>>

/**
 * Creates the segment `beta`, which has one entry more than a standard segment can have, and a flag with a rule for it.
 */
async function grownAccount() {
  const account = await segmentAccount()
  const { api, as, create, engine, instruct, pass, patch, storage, target } = account
  await create('beta')
  pass(1_000)
  await patch('beta', [{ op: 'replace', path: '/included', value: keyList(standardSize) }])
  await target('checkout', 'beta')
  const body = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as never
  await api.patchFlag({ projectKey: 'web', flagKey: 'checkout', body }, { as })
  await instruct('beta', [{ kind: 'addExcludedUsers', values: ['out'] }])
  const evaluator = engine.evaluator(environmentKeys)
  await evaluator.ready()
  return {
    ...account,
    reasons: () => contextKeys.map((key) => evaluator.evaluate('checkout', { kind: 'user', key }, null).reason),
    /** Changes the stored document of the segment. */
    async store(change: (before: StoredBody) => StoredBody) {
      const id = { collection: 'segment', scope: 'proj/web:env/production', key: 'beta' }
      const { body: before, version = 0 } = (await storage.get(id)) ?? {}
      const body = { ...change(before as StoredBody), version: version + 1 }
      await storage.commit([{ do: 'replace', id, version, body, fields: {} }])
      await evaluator.ready()
    },
  }
}

describe('a segment that grew beyond the limit of a standard segment', () => {
  const served = ['RULE_MATCH', 'RULE_MATCH', 'FALLTHROUGH', 'FALLTHROUGH']

  it('is evaluated without a look-up, and without a status of big segments', async () => {
    const { get, reasons } = await grownAccount()
    expect(await get('beta')).toMatchObject({ unbounded: true, included: [] })
    expect(reasons().map(({ kind }) => kind)).toEqual(served)
    expect(reasons().filter(({ bigSegmentsStatus }) => bigSegmentsStatus !== undefined)).toEqual([])
  })

  it('is evaluated without a look-up when an earlier version stored it', async () => {
    const { reasons, store } = await grownAccount()
    const unchanged = { count: 0, revision: 0, changedAt: 5 }
    await store(({ grown, ...before }) => ({ ...before, bigExcluded: unchanged }))
    expect(reasons().map(({ kind }) => kind)).toEqual(served)
  })

  it('can have a million keys, and not more', async () => {
    const { get, instruct, store } = await grownAccount()
    await store((before) => ({ ...before, bigIncluded: { ...(before.bigIncluded as object), count: 999_998 } }))
    await instruct('beta', [{ kind: 'addIncludedTargets', values: ['one more'] }])
    const failure = await failureOf(instruct('beta', [{ kind: 'addIncludedTargets', values: ['too many'] }]))
    expect(failure).toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'included', reason: expect.stringContaining('1000000') }],
    })
    expect(await get('beta')).toMatchObject({ _unboundedMetadata: { includedCount: 999_999, excludedCount: 1 } })
    await instruct('beta', [{ kind: 'removeIncludedTargets', values: ['one more'] }])
    expect(await get('beta')).toMatchObject({ _unboundedMetadata: { includedCount: 999_998 } })
  })
})
