import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngineOf, evaluators } from '../../entries/operations.ts'
import { createEngine, type Engine } from '../../index.ts'
import { controlled, day, environmentKeys, hour, start } from './test/controlled-storage.ts'

const ann = { kind: 'user', key: 'ann' }
const bob = { kind: 'user', key: 'bob' }

/**
 * Makes engines, as in several processes, and flags that are on in production: `a`, which targets ann, and `b`, which
 * depends on `base`.
 */
async function countingEngines({ engines = 1, countEvaluations = true, flushMs = 0 } = {}) {
  let now = start
  const { storage, setDown } = controlled(createMemoryStorage())
  const allEngines = Array.from({ length: engines }, () =>
    createEngine({ storage, clock: () => now, sdk: { flushMs }, countEvaluations, webhooks: false }),
  )
  const [engine] = allEngines as [Engine]
  const as = (await engine.bootstrap())?.token as string
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const instruct = (flagKey: string, ...instructions: object[]) =>
    api.patchFlag({ projectKey: 'web', flagKey, body: { environmentKey: 'production', instructions } as never }, { as })
  const ids: Record<string, string[]> = {}
  for (const key of ['a', 'b', 'base', 'idle']) {
    const { variations } = await api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as })
    ids[key] = variations.map(({ _id }) => _id)
    await instruct(key, { kind: 'turnFlagOn' })
  }
  await instruct('a', { kind: 'addTargets', values: ['ann'], variationId: ids.a?.[1] })
  await instruct('b', { kind: 'addPrerequisite', key: 'base', variationId: ids.base?.[0] })
  for (const step of allEngines) await step.evaluator(environmentKeys).ready()
  return {
    engine,
    engines: allEngines,
    api,
    as,
    instruct,
    setDown,
    pass: (ms: number) => (now += ms),
    counts: async (flagKey: string) => {
      const evaluations = await engine.sdk.evaluations({ ...environmentKeys, flagKey })
      return Object.fromEntries(evaluations.map(({ variation, count }) => [String(variation), count]))
    },
    status: (flagKey: string) => engine.api.getFlagStatus({ ...environmentKeys, flagKey }, { as }),
  }
}

describe('evaluations in process', () => {
  it("are counted by variation, including evaluations that returned the caller's default", async () => {
    const { engine, counts } = await countingEngines()
    const flags = engine.evaluator(environmentKeys)
    expect(flags.evaluate('a', ann, true).variationIndex).toBe(1)
    expect(flags.evaluate('a', bob, false).variationIndex).toBe(0)
    expect(engine.evaluate('a', bob, false, environmentKeys).variationIndex).toBe(0)
    // The value has another type, and is not a stage of a migration.
    expect(flags.evaluate('a', bob, 'text').variationIndex).toBeNull()
    expect(flags.migrationStage('a', bob, 'off').variationIndex).toBeNull()
    expect(await counts('a')).toEqual({})
    await engine.sdk.flush()
    expect(await counts('a')).toEqual({ null: 2, 0: 2, 1: 1 })
    await engine.sdk.flush()
    expect(await counts('a')).toEqual({ null: 2, 0: 2, 1: 1 })
  })

  it('are not counted for unknown flags, invalid contexts, peek, evaluateAll and explain', async () => {
    const { engine, counts, status } = await countingEngines()
    const flags = engine.evaluator(environmentKeys)
    flags.evaluate('nothing', ann, false)
    flags.count('nothing', 0)
    flags.evaluate('a', null as never, false)
    createEngine({ storage: createMemoryStorage(), countEvaluations: true }).evaluate('a', ann, false, environmentKeys)
    flags.evaluateAll(ann)
    flags.explain('a', ann)
    expect(flags.peek('a', ann, false)).toEqual(flags.evaluate('a', ann, false))
    flags.count('a', 0)
    await engine.sdk.flush()
    expect(await counts('a')).toEqual({ 0: 1, 1: 1 })
    for (const key of ['nothing', 'b']) expect(await counts(key)).toEqual({})
    expect((await status('b')).lastRequested).toBeNull()
  })

  it('are counted only with the engine option countEvaluations', async () => {
    const { engine, counts } = await countingEngines({ countEvaluations: false })
    engine.evaluate('a', ann, false, environmentKeys)
    engine.evaluator(environmentKeys).count('a', 0)
    await engine.sdk.flush()
    expect(await counts('a')).toEqual({})
    const createWithoutSdk = createEngineOf({ operations: [], evaluators })
    const input = { storage: createMemoryStorage(), countEvaluations: true }
    expect(() => createWithoutSdk(input)).toThrow(
      'countEvaluations: this engine was made without evaluators or sdkEndpoints',
    )
    expect(() => createEngineOf({ operations: [] })(input)).toThrow(/^countEvaluations/)
  })

  it('are written by runDueTasks, beat and close when the interval has passed', async () => {
    const { engine, engines, counts, pass } = await countingEngines({ engines: 2, flushMs: 10_000 })
    const evaluate = (onEngine = engine) => onEngine.evaluate('a', ann, false, environmentKeys)
    evaluate()
    await engine.runDueTasks()
    expect(await counts('a')).toEqual({})
    pass(10_000)
    await engine.runDueTasks()
    expect(await counts('a')).toEqual({ 1: 1 })
    evaluate()
    await engine.sdk.beat()
    pass(10_000)
    await engine.sdk.beat()
    expect(await counts('a')).toEqual({ 1: 2 })
    const secondEngine = engines[1] as Engine
    evaluate(secondEngine)
    await secondEngine.close()
    expect(await counts('a')).toEqual({ 1: 3 })
  })

  it('stay pending while the storage rejects writes', async () => {
    const { engine, counts, setDown } = await countingEngines()
    setDown(true)
    engine.evaluate('a', ann, false, environmentKeys)
    await engine.sdk.beat()
    engine.evaluate('a', ann, false, environmentKeys)
    await expect(engine.sdk.flush()).rejects.toThrow()
    setDown(false)
    await engine.sdk.flush()
    expect(await counts('a')).toEqual({ 1: 2 })
  })

  it('stay pending while the environment is read again, and are ignored for deleted flags and environments', async () => {
    const { engine, counts, api, as } = await countingEngines()
    engine.evaluate('a', ann, false, environmentKeys)
    engine.evaluate('b', ann, false, environmentKeys)
    await api.deleteFlag({ projectKey: 'web', flagKey: 'b' }, { as })
    engine.clearCaches()
    await engine.sdk.flush()
    expect(await counts('a')).toEqual({})
    await engine.evaluator(environmentKeys).ready()
    await engine.sdk.flush()
    expect([await counts('a'), await counts('b')]).toEqual([{ 1: 1 }, {}])
    engine.evaluate('a', ann, false, environmentKeys)
    await api.deleteEnvironment(environmentKeys, { as })
    await engine.sdk.flush()
    expect(await counts('a')).toEqual({})
  })

  it('add up to the same sums on any engine and for any time of writing', async () => {
    const flagKeys = ['a', 'b', 'idle', 'nothing'] as const
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          what: fc.constant('evaluate' as const),
          by: fc.nat(1),
          flagKey: fc.constantFrom(...flagKeys),
          context: fc.constantFrom(ann, bob),
          fallback: fc.constantFrom<unknown>(false, 'text', undefined),
        }),
      },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('beat' as const), by: fc.nat(1) }) },
      { weight: 1, arbitrary: fc.record({ what: fc.constant('pass' as const), ms: fc.nat(2 * hour) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom(0, 60_000), async (steps, flushMs) => {
        const { engines, counts, pass } = await countingEngines({ engines: 2, flushMs })
        const expected = new Map<string, Map<string, number>>()
        for (const step of steps) {
          if (step.what === 'pass') pass(step.ms)
          else if (step.what === 'beat') await engines[step.by]?.sdk.beat()
          else {
            const { variationIndex } = (engines[step.by] as Engine).evaluate(
              step.flagKey,
              step.context,
              step.fallback,
              environmentKeys,
            )
            if (step.flagKey === 'nothing') continue
            const countsOfFlag = expected.get(step.flagKey) ?? new Map<string, number>()
            expected.set(step.flagKey, countsOfFlag)
            countsOfFlag.set(String(variationIndex), (countsOfFlag.get(String(variationIndex)) ?? 0) + 1)
          }
        }
        for (const engine of engines) await engine.sdk.flush()
        for (const flagKey of flagKeys) {
          const summed = new Map<string, number>()
          const all = await (engines[0] as Engine).sdk.evaluations({ ...environmentKeys, flagKey })
          for (const { variation, count } of all)
            summed.set(String(variation), (summed.get(String(variation)) ?? 0) + count)
          expect(Object.fromEntries(summed)).toEqual(Object.fromEntries(expected.get(flagKey) ?? []))
        }
        expect(await counts('nothing')).toEqual({})
      }),
      { numRuns: 30 },
    )
  })
})

describe('the status of a flag', () => {
  it('follows evaluations in process, also for prerequisites', async () => {
    const { engine, status, pass } = await countingEngines()
    engine.evaluate('b', ann, false, environmentKeys)
    await engine.sdk.flush()
    pass(7 * day)
    engine.evaluate('b', ann, false, environmentKeys)
    expect(await status('b')).toMatchObject({ name: 'inactive' })
    await engine.sdk.flush()
    const lastRequested = String(start + 7 * day)
    // A flag with prerequisites does not serve the same variation to every context.
    expect(await status('b')).toMatchObject({ name: 'active', lastRequested })
    // No caller evaluates this flag directly, but `b` depends on it.
    expect(await status('base')).toMatchObject({ name: 'launched', lastRequested })
    for (const key of ['a', 'idle']) {
      expect(await status(key)).toMatchObject({ name: 'inactive', lastRequested: null })
    }
  })

  it('ignores the prerequisites of a flag that is off', async () => {
    const { engine, instruct, status } = await countingEngines()
    await instruct('b', { kind: 'turnFlagOff' })
    engine.evaluate('b', ann, false, environmentKeys)
    await engine.sdk.flush()
    expect((await status('b')).lastRequested).toBe(String(start))
    expect((await status('base')).lastRequested).toBeNull()
  })
})
