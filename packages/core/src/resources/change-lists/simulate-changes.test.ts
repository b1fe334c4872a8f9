import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError, createEngine, type Hooks } from '../../index.ts'
import { engineRequest, failureOf } from '../account/test/calls.ts'

const as = { role: 'owner' } as const
const shop = { projectKey: 'web' }
const production = { ...shop, environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann', country: 'de' }
const bob = { kind: 'user', key: 'bob', country: 'fr' }

const instruct = (flagKey: string, instructions: readonly object[], environmentKey = 'production') => ({
  operation: 'patchFlag',
  parameters: { ...shop, flagKey },
  body: { environmentKey, instructions },
})
const turnOn = (flagKey: string, environmentKey?: string) => instruct(flagKey, [{ kind: 'turnFlagOn' }], environmentKey)

/** Creates the project Web with the flags Pay and Ship. Pay is a prerequisite of Ship. */
async function web(hooks?: Hooks) {
  const storage = createMemoryStorage()
  const engine = createEngine({
    storage,
    clock: () => Date.UTC(2026, 0, 31),
    ...(hooks && { hooks }),
  })
  const api = engine.as(as)
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  for (const key of ['pay', 'ship']) await api.createFlag({ ...shop, body: { key, name: key } })
  await api.createSegment({ ...production, body: { key: 'beta', name: 'Beta' } })
  const [yes] = (await api.getFlag({ ...shop, flagKey: 'pay' })).variations ?? []
  const variationId = yes?._id ?? ''
  const prerequisite = { kind: 'addPrerequisite', key: 'pay', variationId }
  const change = turnOn('ship')
  const instructions = [...change.body.instructions, prerequisite]
  await api.patchFlag({ ...change.parameters, body: { environmentKey: 'production', instructions } as never })
  const simulate = (changes: readonly object[], others: object = {}) =>
    // Cast: tests send inputs that the operation validates.
    api.simulateChanges({ body: { changes, ...others } } as never)
  return { engine, storage, api, simulate, variationId }
}

describe('simulateChanges', () => {
  it('uses the contexts that SDKs reported to another process, each once', async () => {
    const { storage, api } = await web()
    const reported = { kind: 'multi', device: { key: 'phone' }, user: { key: 'ann', country: 'de' } }
    await api.createContextInstances({ ...production, body: { contexts: [reported, bob] } })
    const other = createEngine({ storage, clock: () => Date.UTC(2026, 0, 31) })
    await other.evaluator(production).ready()
    other.evaluate('pay', bob, false, production)
    const { effects, evaluatedContexts } = await other
      .as(as)
      .simulateChanges({ body: { changes: [turnOn('pay')] } } as never)
    expect(evaluatedContexts).toBe(2)
    expect(effects[0]?.contexts.map(({ keys }) => keys)).toEqual([{ user: 'bob' }, { device: 'phone', user: 'ann' }])
  })

  it('returns contexts that get another variation, including variations of dependent flags', async () => {
    const { api, simulate } = await web()
    const { items, effects, evaluatedContexts } = await simulate([turnOn('pay')], { contexts: [ann, bob] })
    expect(items).toEqual([{ operation: 'patchFlag', sentences: ['turned on pay in Production'] }])
    expect(evaluatedContexts).toBe(2)
    expect(
      effects.map(({ key, environmentKey, evaluated, changed }) => [key, environmentKey, evaluated, changed]),
    ).toEqual([
      ['pay', 'production', 2, 2],
      ['ship', 'production', 2, 2],
    ])
    expect(effects[0]?.contexts[0]).toEqual({
      keys: { user: 'ann' },
      before: { variation: 1, value: false, reason: 'OFF' },
      after: { variation: 0, value: true, reason: 'FALLTHROUGH' },
    })
    expect((await api.getFlag({ ...shop, flagKey: 'pay' })).environments?.production?.on).toBe(false)
  })

  it('evaluates all changes of the list together, by environment', async () => {
    const { api, simulate, variationId } = await web()
    const clause = { attribute: 'segmentMatch', op: 'segmentMatch', values: ['beta'] }
    const rule = { kind: 'addRule', clauses: [clause], variationId }
    const fallthrough = { kind: 'updateFallthroughVariationOrRollout', variationId: '' }
    const { variations } = await api.getFlag({ ...shop, flagKey: 'pay' })
    fallthrough.variationId = variations?.[1]?._id ?? ''
    const include = {
      operation: 'patchSegment',
      parameters: { ...production, segmentKey: 'beta' },
      body: {
        environmentKey: 'production',
        instructions: [{ kind: 'addIncludedTargets', contextKind: 'user', values: ['bob'] }],
      },
    }
    const changes = [instruct('pay', [rule, fallthrough, { kind: 'turnFlagOn' }]), include, turnOn('pay', 'test')]
    const { effects } = await simulate(changes, { contexts: [ann, bob] })
    expect(
      effects.map(({ key, environmentKey, contexts }) => [key, environmentKey, contexts.map(({ keys }) => keys.user)]),
    ).toEqual([
      ['pay', 'production', ['bob']],
      ['ship', 'production', ['bob']],
      ['pay', 'test', ['ann', 'bob']],
    ])
  })

  it('omits flags that the changes create', async () => {
    const { simulate } = await web()
    const create = { operation: 'createFlag', parameters: shop, body: { key: 'new', name: 'New' } }
    const { effects } = await simulate([create, turnOn('new')], { contexts: [ann] })
    expect(effects).toEqual([])
  })

  it('reports which changes require approval, and simulates them as if they were approved', async () => {
    const { api, simulate } = await web()
    const settings = [{ op: 'replace', path: '/approvalSettings/required', value: true }]
    await api.patchEnvironment({ ...production, body: settings as never })
    const { items, effects } = await simulate([turnOn('ship', 'test'), turnOn('pay')], { contexts: [ann] })
    expect(items.map(({ requiresApproval }) => requiresApproval)).toEqual([
      undefined,
      expect.stringContaining('production'),
    ])
    expect(items[1]?.sentences).toEqual(['turned on pay in Production'])
    expect(effects.map(({ key, environmentKey }) => `${key} in ${environmentKey}`)).toEqual([
      'pay in production',
      'ship in production',
      'ship in test',
    ])
    expect(await failureOf(api.applyChanges({ body: { changes: [turnOn('pay')] } as never }))).toMatchObject({
      code: 'method_not_allowed',
    })
  })

  it('needs the rights to make the changes', async () => {
    const { engine } = await web()
    const failure = await failureOf(
      engine.api.simulateChanges({ body: { changes: [turnOn('pay')] } } as never, { as: { role: 'reader' } as never }),
    )
    expect(failure).toMatchObject({ code: 'forbidden', message: expect.stringContaining('changes.0 (patchFlag)') })
  })

  it('writes nothing, and does not increase the counter in the ids of change log entries', async () => {
    const { api, engine, simulate } = await web()
    const before = await exported(engine)
    await simulate([turnOn('pay')], { contexts: [ann] })
    expect(await exported(engine)).toBe(before)
    const { items } = await api.applyChanges({ body: { changes: [turnOn('pay')] } as never })
    expect(items[0]?.entryId).toBe((await api.listChangeLog({ limit: 1 })).items[0]?._id)
  })

  it('calls the hooks once, as a dry run, and is refused when a hook refuses it', async () => {
    const seen: (readonly [boolean, readonly string[]])[] = []
    const { simulate } = await web({
      beforeCommit({ operation, dryRun, sentences }) {
        if (operation !== 'simulateChanges') return
        seen.push([dryRun, sentences])
        if (sentences.length > 1) throw new ApiError('forbidden', { message: 'one at a time' })
      },
    })
    await simulate([turnOn('pay')])
    expect(await failureOf(simulate([turnOn('pay'), turnOn('pay', 'test')]))).toMatchObject({
      message: 'one at a time',
    })
    expect(seen).toEqual([
      [true, ['turned on pay in Production']],
      [true, ['turned on pay in Production', 'turned on pay in Test']],
    ])
  })

  it('refuses more contexts than it can evaluate', async () => {
    const { simulate } = await web()
    const contexts = Array.from({ length: 1001 }, (_, n) => ({ kind: 'user', key: `u${n}` }))
    expect((await failureOf(simulate([turnOn('pay')], { contexts }))).errors?.[0]?.attribute).toBe('contexts')
  })

  it('predicts the values that the contexts get once the changes are made', async () => {
    const keys = ['pay', 'ship'] as const
    const change = fc.record({
      key: fc.constantFrom(...keys),
      kind: fc.constantFrom('turnFlagOn', 'turnFlagOff', 'addTargets', 'removeTargets'),
      user: fc.constantFrom('ann', 'bob'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (list) => {
        const { engine, api, simulate } = await web()
        const flags = await Promise.all(keys.map((flagKey) => api.getFlag({ ...shop, flagKey })))
        const first = (key: string) => flags.find((flag) => flag.key === key)?.variations?.[0]?._id
        const changes = list.map(({ key, kind, user }) =>
          instruct(key, [kind.endsWith('Targets') ? { kind, values: [user], variationId: first(key) } : { kind }]),
        )
        const evaluator = engine.evaluator(production)
        const valuesOf = async () => {
          await evaluator.ready()
          return keys.map((key) =>
            [ann, bob].map((context) => evaluator.evaluate(key, context, undefined as never).value),
          )
        }
        const before = await valuesOf()
        const { effects } = await simulate(changes)
        await api.applyChanges({ body: { changes } as never })
        const after = await valuesOf()
        const expected = keys.flatMap((key, i) =>
          [ann, bob].flatMap((context, j) =>
            before[i]?.[j] === after[i]?.[j] ? [] : [`${key} ${context.key} ${after[i]?.[j]}`],
          ),
        )
        const predicted = effects.flatMap(({ key, contexts }) =>
          contexts.map((context) => `${key} ${context.keys.user} ${context.after.value}`),
        )
        expect(predicted.sort()).toEqual(expected.sort())
      }),
      { numRuns: 25 },
    )
  })
})

async function exported(engine: Pick<ReturnType<typeof createEngine>, 'export'>): Promise<string> {
  let text = ''
  for await (const piece of engine.export()) text += piece
  return text
}

describe('the contexts that an environment evaluated most recently', () => {
  it('are contexts that this process evaluated in the environment, each once', async () => {
    const { engine, simulate } = await web()
    const evaluator = engine.evaluator(production)
    await evaluator.ready()
    const values = [ann, bob, { ...ann }, { kind: 'user' }]
    for (const context of values) evaluator.evaluate('pay', context, false as never)
    const { effects, evaluatedContexts } = await simulate([turnOn('pay'), turnOn('pay', 'test')])
    expect(evaluatedContexts).toBe(2)
    expect(effects.map(({ key, environmentKey }) => `${key} ${environmentKey}`)).toEqual([
      'pay production',
      'ship production',
    ])
    expect(effects[0]?.contexts.map(({ keys }) => keys.user)).toEqual(['ann', 'bob'])
  })

  it('also include contexts that SDKs report or request values for', async () => {
    const { engine, api, simulate } = await web()
    const { apiKey, _id } = await api.getEnvironment(production)
    const index = { kind: 'index', creationDate: 1, context: { kind: 'org', key: 'acme' } }
    await engine.sdk.handle(engineRequest('POST', '/bulk', [index], { authorization: apiKey }))
    const context = Buffer.from(JSON.stringify(bob)).toString('base64url')
    const values = await engine.sdk.handle(engineRequest('GET', `/sdk/evalx/${_id}/contexts/${context}`, undefined, {}))
    expect(values?.status).toBe(200)
    const { effects } = await simulate([turnOn('pay')])
    expect(effects[0]?.contexts.map(({ keys }) => keys)).toEqual([{ user: 'bob' }, { org: 'acme' }])
  })

  it('are at most the last 1,000', async () => {
    const { engine, simulate } = await web()
    const evaluator = engine.evaluator(production)
    await evaluator.ready()
    for (let n = 0; n < 1_500; n++) evaluator.evaluate('pay', { kind: 'user', key: `u${n}` }, false as never)
    const { effects, evaluatedContexts } = await simulate([turnOn('pay')])
    expect(evaluatedContexts).toBe(1_000)
    expect(effects[0]?.contexts[0]?.keys).toEqual({ user: 'u1499' })
  })
})
