import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine, type Engine } from '../../../index.ts'
import { flagStatuses } from '../../../rules/flag-status/flag-status.ts'
import { engineRequest, start } from '../../account/test/calls.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
const inProduction = { projectKey: 'web', environmentKey: 'production' }

/** Flags before the first step: so many that their rows are kept in memory. */
const firstFlags = 210
const keyOf = (n: number) => `f${n}`

const flagNumber = fc.nat(firstFlags + 5)

const steps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ pass: fc.constantFrom(1, hour, day, 3 * day, 7 * day - 1, 7 * day) }) },
  { weight: 3, arbitrary: fc.record({ turn: flagNumber, on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ target: flagNumber, expiresIn: fc.constantFrom(undefined, hour, 9 * day) }) },
  { weight: 1, arbitrary: fc.record({ evaluate: fc.array(flagNumber, { minLength: 1, maxLength: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ create: flagNumber }) },
  { weight: 1, arbitrary: fc.record({ remove: flagNumber }) },
  { weight: 1, arbitrary: fc.record({ archive: flagNumber }) },
  {
    weight: 12,
    arbitrary: fc.record({
      list: fc.subarray([...flagStatuses], { minLength: 1 }),
      /** Limits the list to flags that were evaluated in this time, in ms. */
      evaluatedWithin: fc.option(fc.constantFrom(hour, 2 * day, 30 * day), { nil: undefined }),
      sort: fc.constantFrom('key', '-key', '-creationDate', 'name'),
      text: fc.constantFrom('', 'query:1,', 'state:archived+live,'),
      offset: fc.nat(250),
      limit: fc.integer({ min: 1, max: 30 }),
    }),
  },
)

type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never
type Change = Exclude<Step, { list: unknown } | { pass: number }>

/** Returns an account, an engine that keeps rows in memory, and one on the same storage that caches nothing. */
async function accountOfTwoEngines() {
  let now = start
  const storage = createMemoryStorage()
  const options = { storage, clock: () => now, webhooks: false, rateLimit: false } as const
  const keeping = createEngine(options)
  const reading = createEngine({ ...options, cache: false })
  const as = { as: (await keeping.bootstrap())?.token as string }
  await keeping.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  const create = (n: number) =>
    keeping.api.createFlag({ projectKey: 'web', body: { key: keyOf(n), name: `${n % 7}` } }, as)
  for (let n = 0; n < firstFlags; n++) {
    await create(n)
    if (n % 10 === 0) now += hour
  }
  const { apiKey } = await keeping.api.getEnvironment(inProduction, as)
  return {
    as,
    keeping,
    reading,
    create,
    pass: (ms: number) => {
      now += ms
    },
    now: () => now,
    async evaluate(engine: Engine, keys: readonly string[]) {
      const counted = { counters: [{ version: 1, count: 1, variation: 0 }] }
      const features = Object.fromEntries(keys.map((key) => [key, counted]))
      const headers = { authorization: apiKey, 'content-type': 'application/json' }
      await engine.sdk.handle(engineRequest('POST', '/bulk', [{ kind: 'summary', endDate: now, features }], headers))
      await engine.sdk.flush()
    },
  }
}

type Account = Awaited<ReturnType<typeof accountOfTwoEngines>>

/** Makes a change by one of the engines. Changes of flags that do not exist are refused. */
async function make(account: Account, engine: Engine, change: Change): Promise<unknown> {
  const { as, create, evaluate, now } = account
  const { api } = engine
  const flag = (n: number) => ({ projectKey: 'web', flagKey: keyOf(n) })
  const instruct = (n: number, instructions: readonly object[]) =>
    api.patchFlag({ ...flag(n), body: { environmentKey: 'production', instructions } as never }, as)
  if ('turn' in change) return instruct(change.turn, [{ kind: change.on ? 'turnFlagOn' : 'turnFlagOff' }])
  if ('evaluate' in change) return evaluate(engine, change.evaluate.map(keyOf))
  if ('create' in change) return create(change.create)
  if ('remove' in change) return api.deleteFlag(flag(change.remove), as)
  if ('archive' in change)
    return api.patchFlag({ ...flag(change.archive), body: { instructions: [{ kind: 'archiveFlag' }] } as never }, as)
  const { variations } = await api.getFlag(flag(change.target), as)
  const target = { contextKind: 'org', variationId: variations[1]?._id }
  const contextKey = `${now()} ${change.expiresIn}`
  await instruct(change.target, [{ kind: 'turnFlagOn' }, { kind: 'addTargets', ...target, values: [contextKey] }])
  if (change.expiresIn === undefined) return
  const expiry = { kind: 'addExpiringTarget', contextKey, value: now() + change.expiresIn, ...target }
  return api.patchExpiringTargets(
    { ...inProduction, ...flag(change.target), body: { instructions: [expiry] } as never },
    as,
  )
}

it('a list of flags by their activity from rows in memory equals the list from stored rows, after any changes', async () => {
  let listsInMemory = 0
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.tuple(steps, fc.boolean()), { minLength: 20, maxLength: 50 }),
      async (isCounted, all) => {
        const account = await accountOfTwoEngines()
        const { keeping, reading, as, pass } = account
        const pageOf = async (engine: Engine, step: Extract<Step, { list: unknown }>) => {
          const { list, evaluatedWithin, sort, text, offset, limit } = step
          const after = account.now() - (evaluatedWithin ?? 0)
          const evaluated = evaluatedWithin === undefined ? '' : `evaluated:{"after":${after}},`
          const filter = `${text}${evaluated}filterEnv:production,status:${list.join('+')}`
          const { items, totalCount } = await engine.api.listFlags(
            { projectKey: 'web', filter, sort, offset, limit },
            as,
          )
          return { keys: items.map(({ key }) => key), totalCount }
        }
        const hits = () => keeping.cacheStats().documents.hits
        for (let n = 0; n < 60; n++) {
          const targeted = { target: n, expiresIn: n % 6 < 3 ? undefined : n * 6 * hour }
          await make(account, reading, n % 3 === 0 ? { turn: n, on: true } : targeted)
          // Two targets of one flag expire at different times.
          if (n % 12 === 11) await make(account, reading, { target: n, expiresIn: 2 * day })
          if (n === 30 && isCounted) await make(account, reading, { evaluate: [1, 2, 3, 4] })
        }
        for (const [step, here] of all) {
          if ('pass' in step) pass(step.pass)
          else if ('list' in step) {
            const before = hits()
            expect(await pageOf(keeping, step)).toEqual(await pageOf(reading, step))
            listsInMemory += hits() - before
          } else await make(account, here ? keeping : reading, step).catch(() => {})
        }
        await Promise.all([keeping.close(), reading.close()])
      },
    ),
    { numRuns: process.env.HALYARD_LONG_TESTS ? 200 : 12 },
  )
  // Otherwise the property would compare stored rows with themselves.
  expect(listsInMemory).toBeGreaterThan(50)
})
