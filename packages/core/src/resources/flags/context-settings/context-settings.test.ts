import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../../index.ts'
import { editor, failureOf } from '../../account/test/calls.ts'

const as = { role: 'owner' } as const
const environment = { projectKey: 'web', environmentKey: 'production' }
const flag = { ...environment, flagKey: 'color' }

/** Creates the flag `color` with the values red, green and blue, which is on in production. */
async function color() {
  const { api } = createEngine({ storage: createMemoryStorage() })
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const variations = ['red', 'green', 'blue'].map((value) => ({ value }))
  const body = { key: 'color', name: 'Color', variations, defaults: { onVariation: 0, offVariation: 1 } }
  await api.createFlag({ projectKey: 'web', body }, { as })
  const on = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as const
  await api.patchFlag({ projectKey: 'web', flagKey: 'color', body: on }, { as })
  const put = (setting: unknown, contextKind = 'user', contextKey = 'ann', caller: As = as, others: object = {}) =>
    api.putContextFlagSetting({ ...flag, contextKind, contextKey, body: { setting, ...others } }, { as: caller })
  const valueFor = async (context: object) =>
    (await api.evaluateContextInstance({ ...environment, body: context as never }, { as })).items[0]?._value
  const targets = async () => {
    const { environments } = await api.getFlag({ projectKey: 'web', flagKey: 'color' }, { as })
    const { targets: users, contextTargets } = environments?.production ?? {}
    return [...(users ?? []), ...(contextTargets ?? [])].flatMap(({ contextKind, variation, values }) =>
      values.map((key) => `${contextKind}:${key} ${variation}`),
    )
  }
  return { api, put, valueFor, targets }
}

const ann = { kind: 'user', key: 'ann' }

describe('the setting of a flag for a context', () => {
  it('determines the value of the flag, replaces an earlier setting, and is removed by null or by a call without a value', async () => {
    const { put, valueFor, targets } = await color()
    expect(await valueFor(ann)).toBe('red')
    await put('green')
    await put('blue')
    expect(await valueFor(ann)).toBe('blue')
    expect(await targets()).toEqual(['user:ann 2'])
    await put('blue', 'device', 'p1')
    expect(await targets()).toEqual(['user:ann 2', 'device:p1 2'])
    await put(null)
    expect(await valueFor(ann)).toBe('red')
    await put(undefined, 'device', 'p1')
    expect(await targets()).toEqual([])
  })

  it('is in the change log with a sentence, and a revert restores the earlier setting', async () => {
    const { api, put, targets } = await color()
    await put('green')
    await put('blue')
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    const { items: detailed } = { items: [await api.getChangeLogEntry({ id: items[0]?._id ?? '' }, { as })] }
    expect(detailed[0]?.description).toContain('added the target ann')
    await api.revertChangeLogEntry({ id: items[0]?._id ?? '', body: {} }, { as })
    expect(await targets()).toEqual(['user:ann 1'])
  })

  it('is not written again when the context already has it', async () => {
    const { api, put } = await color()
    await put('green')
    const { version } = (await api.getFlag({ projectKey: 'web', flagKey: 'color' }, { as })) as { version?: number }
    await put('green')
    await put(null, 'user', 'bob')
    expect(((await api.getFlag({ projectKey: 'web', flagKey: 'color' }, { as })) as { version?: number }).version).toBe(
      version,
    )
  })

  it('must be the value of a variation, and needs the right to change targets', async () => {
    const { put } = await color()
    expect(await failureOf(put('blue', 'a b'))).toMatchObject({ errors: [{ attribute: 'contextKind' }] })
    expect(await failureOf(put('pink'))).toMatchObject({ code: 'invalid_request', errors: [{ attribute: 'setting' }] })
    const resource = 'proj/web:env/production:flag/color'
    expect(await failureOf(put('blue', 'user', 'ann', editor(['updateRules'], resource)))).toMatchObject({
      code: 'forbidden',
    })
    await put('blue', 'user', 'ann', editor(['updateTargets'], resource))
  })

  it('needs an approval where the environment requires one', async () => {
    const { api, put } = await color()
    const required = [{ op: 'replace', path: '/approvalSettings/required', value: true }]
    await api.patchEnvironment({ ...environment, body: required as never }, { as })
    expect(await failureOf(put('blue'))).toMatchObject({ code: 'method_not_allowed' })
  })

  it('is returned for a user, with the value of the flag for the attributes that an SDK reported last', async () => {
    const { api, valueFor } = await color()
    const clauses = [{ contextKind: 'user', attribute: 'country', op: 'in', values: ['de'], negate: false }]
    const { variations } = await api.getFlag({ projectKey: 'web', flagKey: 'color' }, { as })
    const rule = { kind: 'addRule', clauses, variationId: variations?.[2]?._id }
    const body = { environmentKey: 'production', instructions: [rule] } as never
    await api.patchFlag({ projectKey: 'web', flagKey: 'color', body }, { as })
    const contexts = [{ ...ann, country: 'de' }]
    await api.createContextInstances({ ...environment, body: { contexts } }, { as })
    const settings = () => api.getUserFlagSettings({ ...environment, userKey: 'ann' }, { as })
    expect((await settings()).items.color).toMatchObject({
      _value: 'blue',
      setting: null,
      reason: { kind: 'RULE_MATCH' },
    })
    await api.putFlagSetting({ ...flag, userKey: 'ann', body: { setting: 'green' } }, { as })
    const expected = { _value: 'green', setting: 'green', reason: { kind: 'TARGET_MATCH' } }
    expect((await settings()).items.color).toMatchObject(expected)
    expect(await api.getUserFlagSetting({ ...flag, userKey: 'ann' }, { as })).toMatchObject(expected)
    expect(await valueFor(ann)).toBe('green')
  })
})
