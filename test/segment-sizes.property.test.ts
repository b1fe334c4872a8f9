import { type As, createEngine } from '@halyard/core'
import { createHalyardProvider } from '@halyard/openfeature'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { longTests } from './setup/long-tests.ts'
import { offlineSdk } from './setup/reference-sdk.ts'

/**
 * Maximum number of entries of a segment that is not big
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments).
 */
const maxStandardEntries = 15_000

const environment = { projectKey: 'web', environmentKey: 'production' }
const keysOf = (segmentKey: string) => ({ ...environment, segmentKey })

type Side = 'included' | 'excluded'

/** A change of the keys of a segment, and the way in which the caller requests it. */
interface KeyChange {
  readonly via: (typeof ways)[number]
  readonly side: Side
  readonly adds: boolean
  readonly keys: readonly string[]
}

const ways = ['targets', 'users', 'big targets', 'users operation', 'contexts operation', 'patch', 'import'] as const
const standardWays: readonly string[] = ['patch']
const bigWays: readonly string[] = ['big targets', 'users operation', 'contexts operation', 'import']

/** The first keys are in the segment from the beginning. */
const probes = ['key-0', 'key-1', 'ann', 'bob', 'cleo', 'dan', 'never listed']
const listable = probes.slice(0, -1)

const keyChange: fc.Arbitrary<KeyChange> = fc.record({
  via: fc.constantFrom(...ways),
  side: fc.constantFrom<Side>('included', 'excluded'),
  adds: fc.constantFrom(true, true, false),
  keys: fc.subarray(listable, { minLength: 1, maxLength: 3 }),
})

const scenario = fc.record({
  contextKind: fc.constantFrom('user', 'org'),
  size: fc.integer({ min: maxStandardEntries - 2, max: maxStandardEntries + 2 }),
  changes: fc.array(keyChange, { minLength: 4, maxLength: 8 }),
})

/** A model of a segment: two sets, without limits and without different representations. */
type Model = Readonly<Record<Side, ReadonlySet<string>>>

/** Returns the segment after a change; undefined when a key would be both included and excluded. */
function modelAfter(model: Model, { via, side, adds, keys }: KeyChange): Model | undefined {
  const edited = new Set(model[side])
  for (const key of keys) {
    if (adds || via === 'import') edited.add(key)
    else edited.delete(key)
  }
  if (via === 'import' && !adds) for (const key of edited) if (!keys.includes(key)) edited.delete(key)
  const after = { ...model, [side]: edited }
  return keys.some((key) => after.included.has(key) && after.excluded.has(key)) ? undefined : after
}

const isMember = ({ included }: Model) => probes.map((key) => included.has(key))

it('a segment of any size serves the same values, however its keys are changed', { timeout: 120_000 }, async () => {
  const account = await openAccount()
  const applied = { standard: 0, big: 0, refused: 0 }
  let runs = 0
  await fc.assert(
    fc.asyncProperty(scenario, async ({ contextKind, size, changes }) => {
      const segment = await account.createSegment(`s${runs++}`, contextKind, size)
      let model: Model = { included: new Set(listOf(size)), excluded: new Set() }
      expect(await segment.served(), 'created').toEqual(segment.views(isMember(model)))
      for (const drawn of changes) {
        const change = possible(drawn, contextKind)
        const isBig = await segment.isBig()
        const predicted = await segment.predict(change)
        const succeeded = await segment.apply(change)
        const after = modelAfter(model, change)
        expect(succeeded, JSON.stringify({ change, isBig })).toBe(after !== undefined && isAllowed(change, isBig))
        if (after && succeeded) model = after
        applied[succeeded ? (isBig ? 'big' : 'standard') : 'refused']++
        if (predicted) expect(predicted, `predicted ${JSON.stringify(change)}`).toEqual(isMember(model))
        expect(await segment.served(), JSON.stringify({ change, isBig })).toEqual(segment.views(isMember(model)))
      }
      await segment.delete()
    }),
    { numRuns: longTests ? 200 : 15 },
  )
  expect(Math.min(...Object.values(applied)), JSON.stringify(applied)).toBeGreaterThan(10)
})

/**
 * Returns true if the segment's representation allows this way to change keys. Changes in any other way must be
 * refused.
 */
function isAllowed({ via }: KeyChange, isBig: boolean): boolean {
  return isBig ? !standardWays.includes(via) : !bigWays.includes(via)
}

/** Imports contain only included keys. Instructions and operations for users exist only for the context kind `user`. */
function possible(change: KeyChange, contextKind: string): KeyChange {
  if (change.via === 'import') return { ...change, side: 'included' }
  if (contextKind === 'user') return change
  const forContexts: Partial<Record<string, KeyChange['via']>> = {
    users: 'targets',
    'users operation': 'contexts operation',
  }
  return { ...change, via: forContexts[change.via] ?? change.via }
}

function listOf(size: number): string[] {
  return Array.from({ length: size }, (_, index) => `key-${index}`)
}

async function openAccount() {
  const storage = createMemoryStorage()
  const engine = createEngine({ storage, sdk: { flushMs: 0 } })
  onTestFinished(() => engine.close())
  const as: As = (await engine.bootstrap())?.token as string
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const { apiKey } = await api.getEnvironment(environment, { as })
  const provider = createHalyardProvider(engine, environment, { checkMs: 0 })
  await provider.initialize?.()
  onTestFinished(() => provider.onClose?.())
  const evaluator = engine.evaluator(environment)
  const handle = withSdk(createFetchHandler(engine), engine)
  const sdkData = async (path: string) => {
    const headers = { authorization: apiKey }
    return (await handle(new Request(`http://localhost${path}`, { headers }))).json()
  }
  const { client, data } = await offlineSdk()
  onTestFinished(() => client.close())

  /** Evaluates in a new engine, which reads the complete data instead of single changes. */
  async function evaluatedByAnotherEngine(flagKey: string, contexts: readonly { kind: string; key: string }[]) {
    const other = createEngine({ storage: { ...storage, close: async () => {} } })
    const { ready, evaluate } = other.evaluator(environment)
    await ready()
    const values = contexts.map((context) => evaluate(flagKey, context, null).value)
    await other.close()
    return values
  }

  async function createSegment(key: string, contextKind: string, size: number) {
    const contexts = probes.map((probe) => ({ kind: contextKind, key: probe }))
    const listPath = (side: Side) => (contextKind === 'user' ? `/${side}` : `/${side}Contexts`)
    const listValue = (keys: readonly string[]) =>
      contextKind === 'user' ? keys : keys.length === 0 ? [] : [{ contextKind, values: keys }]
    const patch = (body: unknown) => api.patchSegment({ ...keysOf(key), body: body as never }, { as })
    await api.createSegment({ ...environment, body: { key, name: key } }, { as })
    await patch([{ op: 'replace', path: listPath('included'), value: listValue(listOf(size)) }])
    await createFlag(key, contextKind)

    const bodyOf = ({ via, side, adds, keys }: KeyChange, shown: Awaited<ReturnType<typeof api.getSegment>>) => {
      const name = `${adds ? 'add' : 'remove'}${via === 'big targets' ? 'BigSegment' : ''}${side === 'included' ? 'Included' : 'Excluded'}${via === 'users' ? 'Users' : 'Targets'}`
      if (via !== 'patch') {
        const kind = via === 'targets' ? { contextKind } : {}
        return { environmentKey: 'production', instructions: [{ kind: name, ...kind, values: keys }] }
      }
      const lists = contextKind === 'user' ? shown[side] : shown[`${side}Contexts`][0]?.values
      const list = new Set(lists ?? [])
      for (const each of keys) list[adds ? 'add' : 'delete'](each)
      return [{ op: 'replace', path: listPath(side), value: listValue([...list]) }]
    }

    return {
      isBig: async () => (await api.getSegment(keysOf(key), { as })).unbounded,
      async apply(change: KeyChange): Promise<boolean> {
        const { via, side, adds, keys } = change
        const edit = { [side]: { [adds ? 'add' : 'remove']: keys } }
        const call = async () => {
          if (via === 'import')
            return api.createBigSegmentImport(
              { ...keysOf(key), body: { file: keys.join('\n'), mode: adds ? 'merge' : 'replace' } },
              { as },
            )
          if (via === 'users operation') return api.updateBigSegmentTargets({ ...keysOf(key), body: edit }, { as })
          if (via === 'contexts operation')
            return api.updateBigSegmentContextTargets({ ...keysOf(key), body: edit }, { as })
          return patch(bodyOf(change, await api.getSegment(keysOf(key), { as })))
        }
        return call().then(
          () => true,
          (error) => {
            expect(error.body).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/./) })
            return false
          },
        )
      },
      /** Simulates the change, where the simulation supports it, and returns which contexts would be members. */
      async predict(change: KeyChange): Promise<boolean[] | undefined> {
        if (!['targets', 'users', 'big targets', 'patch'].includes(change.via)) return undefined
        const body = bodyOf(change, await api.getSegment(keysOf(key), { as }))
        const how = 'instructions' in body ? { instructions: body.instructions } : { patch: body }
        const simulation = engine.simulate({ ...environment, segmentKey: key, ...how, contexts } as never, { as })
        return simulation.then(
          (done) => done.contexts.map((item) => 'member' in item.after && item.after.member === true),
          () => undefined,
        )
      },
      /** Returns, for each part of the project, the contexts that it serves as members. */
      async served() {
        await evaluator.ready()
        await data.usePreconfiguredSegment(await sdkData(`/sdk/segments/${key}`))
        await data.usePreconfiguredFlag(await sdkData(`/sdk/flags/${key}`))
        const serve = (read: (context: { kind: string; key: string }) => unknown) => Promise.all(contexts.map(read))
        return {
          engine: await serve((context) => engine.evaluate(key, context, null, environment).value),
          evaluator: contexts.map((context) => evaluator.evaluate(key, context, null).value),
          all: contexts.map((context) => evaluator.evaluateAll(context)[key]?.value),
          openFeature: await serve(
            async (context) =>
              (
                await provider.resolveBooleanEvaluation(
                  key,
                  false,
                  { ...context, targetingKey: context.key },
                  {} as never,
                )
              ).value,
          ),
          started: await evaluatedByAnotherEngine(key, contexts),
          sdk: await serve((context) => client.variation(key, context, null)),
        }
      },
      async delete() {
        await api.deleteFlag({ projectKey: 'web', flagKey: key }, { as })
        await api.deleteSegment(keysOf(key), { as })
      },
      views: (members: readonly boolean[]) => ({
        engine: members,
        evaluator: members,
        all: members,
        openFeature: members,
        started: members,
        sdk: members,
      }),
    }
  }

  /** Creates a flag that is true for the members of the segment with its key. */
  async function createFlag(key: string, contextKind: string) {
    await api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as })
    const { variations } = await api.getFlag({ projectKey: 'web', flagKey: key }, { as })
    const [on, off] = variations
    const clauses = [{ attribute: '', op: 'segmentMatch', values: [key], negate: false, contextKind }]
    const instructions = [
      { kind: 'turnFlagOn' },
      { kind: 'addRule', clauses, variationId: on?._id },
      { kind: 'updateFallthroughVariationOrRollout', variationId: off?._id },
    ]
    await api.patchFlag(
      { projectKey: 'web', flagKey: key, body: { environmentKey: 'production', instructions } as never },
      { as },
    )
  }

  return { createSegment }
}
