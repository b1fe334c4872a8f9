import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { EvaluationContext, EvaluationResult } from '../../../entries/evaluation.ts'
import type { Storage, StoredRecord } from '../../../entries/storage.ts'
import { type As, createEngine } from '../../../index.ts'
import { failureOf } from '../../account/test/calls.ts'

const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const start = Date.UTC(2026, 10, 2, 9, 30)

export const contexts: readonly EvaluationContext[] = [
  ...['ann', 'bob', 'cleo', 'dan'].map((key) => ({ kind: 'user', key, country: key < 'c' ? 'de' : 'fr' })),
  { kind: 'org', key: 'acme' },
  { kind: 'multi', user: { key: 'ann' }, org: { key: 'acme', size: 12 } },
]

const flagKeys = ['f0', 'f1', 'f2', 'f3'] as const
const segmentKeys = ['s0', 's1', 'big'] as const

/** Input of `simulate`, with placeholders for the ids of variations. */
export interface RandomChange {
  readonly flagKey?: string
  readonly segmentKey?: string
  readonly instructions?: readonly object[]
  readonly patch?: readonly object[]
  readonly comment?: string
}

const users = fc.subarray(['ann', 'bob', 'cleo', 'dan'])
const anyFlag = fc.constantFrom(...flagKeys)
const anySegment = fc.constantFrom(...segmentKeys)
/** Placeholder for the id of the variation at that index. No flag has a tenth variation. */
const variationId = fc.constantFrom('variation 0', 'variation 1', 'variation 2', 'variation 9')
const clause = fc.oneof(
  anySegment.map((key) => ({ contextKind: 'user', attribute: '', op: 'segmentMatch', values: [key], negate: false })),
  fc
    .constantFrom('de', 'fr')
    .map((country) => ({ contextKind: 'user', attribute: 'country', op: 'in', values: [country], negate: false })),
)

const flagInstruction = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom({ kind: 'turnFlagOn' }, { kind: 'turnFlagOff' }) },
  // Rare, because a deleted flag is not changed any further.
  { weight: 1, arbitrary: fc.constantFrom(...['archiveFlag', 'restoreFlag', 'deleteFlag'].map((kind) => ({ kind }))) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('addTargets', 'removeTargets'), values: users, variationId }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('addRule'),
      clauses: fc.array(clause, { minLength: 1, maxLength: 2 }),
      variationId,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('updateFallthroughVariationOrRollout', 'updateOffVariation'),
      variationId,
    }),
  },
  fc.constant({
    kind: 'updateFallthroughVariationOrRollout',
    rolloutWeights: { 'variation 0': 30_000, 'variation 1': 70_000 },
  }),
  fc.record({ kind: fc.constant('addPrerequisite'), key: anyFlag, variationId: fc.constantFrom('variation 0') }),
  fc.record({ kind: fc.constant('updateVariation'), variationId, value: fc.constantFrom('a', 'b') }),
  fc.record({ kind: fc.constant('removeVariation'), variationId }),
  fc.record({ kind: fc.constant('addTags'), values: fc.constant(['x']) }),
)

const segmentInstruction = fc.oneof(
  fc.record({
    kind: fc.constantFrom('addIncludedUsers', 'addExcludedUsers', 'removeIncludedUsers', 'removeExcludedUsers'),
    values: users,
  }),
  fc.record({
    kind: fc.constantFrom('addBigSegmentIncludedTargets', 'removeBigSegmentIncludedTargets'),
    values: users,
  }),
  fc.record({ kind: fc.constant('addRule'), clauses: fc.tuple(clause) }),
  fc.record({ kind: fc.constant('updateName'), value: fc.constantFrom('One', 'Two') }),
)

const patch = fc.oneof(
  fc.constantFrom('a', 'b').map((name) => [{ op: 'replace', path: '/name', value: name }]),
  fc.boolean().map((on) => [{ op: 'replace', path: '/environments/production/on', value: on }]),
  users.map((values) => [{ op: 'replace', path: '/included', value: values }]),
)

export const randomChange: fc.Arbitrary<RandomChange> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ flagKey: anyFlag, instructions: fc.array(flagInstruction, { maxLength: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ segmentKey: anySegment, instructions: fc.array(segmentInstruction, { maxLength: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ flagKey: anyFlag, patch, comment: fc.constant('why not') }) },
  { weight: 1, arbitrary: fc.record({ segmentKey: anySegment, patch }) },
)

const segmentClause = (key: string) => ({
  contextKind: 'user',
  attribute: '',
  op: 'segmentMatch',
  values: [key],
  negate: false,
})
const serveInstructions = [
  { kind: 'turnFlagOn' },
  { kind: 'updateFallthroughVariationOrRollout', variationId: 'variation 0' },
  { kind: 'updateOffVariation', variationId: 'variation 2' },
]
const rule = (segmentKey: string) => ({
  kind: 'addRule',
  clauses: [segmentClause(segmentKey)],
  variationId: 'variation 1',
})

/** Makes f2 depend on f1, f1 on f0, f0 on the big segment, f3 on s1, and s1 on s0. */
const firstChanges: readonly RandomChange[] = [
  { segmentKey: 's1', instructions: [{ kind: 'addRule', clauses: [segmentClause('s0')] }] },
  { flagKey: 'f0', instructions: [...serveInstructions, rule('big')] },
  {
    flagKey: 'f1',
    instructions: [...serveInstructions, { kind: 'addPrerequisite', key: 'f0', variationId: 'variation 0' }],
  },
  {
    flagKey: 'f2',
    instructions: [...serveInstructions, { kind: 'addPrerequisite', key: 'f1', variationId: 'variation 0' }],
  },
  { flagKey: 'f3', instructions: [...serveInstructions, rule('s1')] },
]

/** Makes an account with flags that depend on each other and on segments, and two webhooks. */
export async function simulatedAccount(storage: Storage) {
  let ids = 0
  const as: As = { role: 'owner' }
  const engine = createEngine({ storage, clock: () => start, newId: () => `id-${++ids}`, rateLimit: false })
  await engine.bootstrap()
  const { api } = engine
  await fillAccount(api, as)
  const withVariationIds = sayer(api, as)
  const applyChange = maker(api, as)
  const storedRecords = () => everythingIn(storage)
  for (const change of firstChanges) await applyChange(await withVariationIds(change))
  const evaluator = engine.evaluator(environmentKeys)

  /** Evaluates all flags for all contexts. */
  async function evaluateAllContexts() {
    await evaluator.ready()
    for (const context of contexts) await evaluator.lookUpBigSegments(context)
    return contexts.map((context) => evaluator.evaluateAll(context))
  }

  let cached: Promise<{ results: Awaited<ReturnType<typeof evaluateAllContexts>>; stored: string[] }> | undefined
  const readState = async () => ({ results: await evaluateAllContexts(), stored: await storedRecords() })

  return {
    engine,
    as,
    /** The evaluations and the stored records, cached until a change. */
    state: { now: () => (cached ??= readState()), clear: () => (cached = undefined) },
    api,
    everything: storedRecords,
    said: withVariationIds,
    make: applyChange,
    simulate: (change: RandomChange) => engine.simulate({ ...environmentKeys, ...change, contexts } as never, { as }),
    /** Resets the generator of ids afterwards, so that a repeated change gets the same ids. */
    async withRepeatedIds<T>(work: () => Promise<T>): Promise<T> {
      const before = ids
      try {
        return await work()
      } finally {
        ids = before
      }
    },
    newestEntry: async () => (await api.listChangeLog({ limit: 1 }, { as })).items[0],
  }
}

type Api = ReturnType<typeof createEngine>['api']

async function fillAccount(api: Api, as: As): Promise<void> {
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  for (const key of ['s0', 's1']) await api.createSegment({ ...environmentKeys, body: { key, name: key } }, { as })
  const big = { key: 'big', name: 'big', unbounded: true, unboundedContextKind: 'user' }
  await api.createSegment({ ...environmentKeys, body: big }, { as })
  const variations = ['red', 'green', 'blue'].map((value) => ({ value }))
  for (const key of flagKeys) await api.createFlag({ projectKey: 'web', body: { key, name: key, variations } }, { as })
  const webhook = { url: 'https://chat.example.com/hook?token=not-for-everybody', on: true, sign: false }
  await api.createWebhook({ body: { ...webhook, name: 'all' } }, { as })
  const statements = [{ effect: 'allow' as const, resources: ['proj/*:env/*:flag/*'], actions: ['updateOn'] }]
  await api.createWebhook({ body: { ...webhook, name: 'on', statements } }, { as })
}

/** Returns all stored records as text. */
async function everythingIn(storage: Storage): Promise<string[]> {
  const records: string[] = []
  for await (const chunk of storage.account('default').dump()) {
    records.push(...chunk.map((record: StoredRecord) => JSON.stringify(record)))
  }
  return records
}

/** Returns a function that replaces placeholders in the instructions of a change by the ids of variations. */
function sayer(api: Api, as: As) {
  return async (change: RandomChange): Promise<RandomChange> => {
    const { flagKey: changedKey, instructions } = change
    if (changedKey === undefined || !instructions) return change
    const withIds = instructions.map(async (instruction: { readonly key?: string }) => {
      const flagKey = instruction.key ?? changedKey
      const flag = await api.getFlag({ projectKey: 'web', flagKey }, { as }).catch(() => ({ variations: [] }))
      const idAt = (_: string, index: string) => JSON.stringify(flag.variations[Number(index)]?._id ?? 'none')
      return JSON.parse(JSON.stringify(instruction).replaceAll(/"variation (\d)"/g, idAt))
    })
    return { ...change, instructions: await Promise.all(withIds) }
  }
}

function maker(api: Api, as: As) {
  return ({ flagKey, segmentKey, instructions, patch: operations, comment }: RandomChange): Promise<unknown> => {
    const body = (
      instructions ? { environmentKey: 'production', instructions } : { patch: operations, comment }
    ) as never
    return flagKey === undefined
      ? api.patchSegment({ ...environmentKeys, segmentKey: segmentKey as string, body }, { as })
      : api.patchFlag({ projectKey: 'web', flagKey, body }, { as })
  }
}

export type SimulatedAccount = Awaited<ReturnType<typeof simulatedAccount>>

type Outcome<T> = { readonly done: T } | { readonly failure: unknown }

const outcomeOf = <T>(call: Promise<T>): Promise<Outcome<T>> =>
  call.then(
    (done): Outcome<T> => ({ done }),
    async () => ({ failure: await failureOf(call) }),
  )

/** Returns the value and variation that identify a result. The variations of these flags do not change. */
function servedVariation({ value, variationIndex }: Partial<EvaluationResult> = {}) {
  return [value ?? null, variationIndex ?? null]
}

/**
 * Simulates a change, makes it, and returns the differences. Empty when the simulation has written nothing and has
 * predicted the result exactly.
 *
 * @returns the differences, and a flag that is true when the change succeeded.
 */
export async function checkSimulation(account: SimulatedAccount, random: RandomChange) {
  const change = await account.said(random)
  const differences: unknown[] = []
  const expectSame = (label: string, simulated: unknown, actual: unknown) => {
    if (!isDeepStrictEqual(asJson(simulated), asJson(actual))) differences.push({ what: label, simulated, actual })
  }
  const { results: resultsBefore, stored: before } = await account.state.now()
  const simulated = await account.withRepeatedIds(() => outcomeOf(account.simulate(change)))
  expectSame('stored content', await account.everything(), before)
  const actual = await outcomeOf(account.make(change))
  if ('failure' in simulated || 'failure' in actual) {
    expectSame('failure', simulated, actual)
    return { differences, actual: false, changed: 0 }
  }
  const { done } = simulated
  account.state.clear()
  const { results: resultsAfter, stored: after } = await account.state.now()
  expectSame('answer', done.answer, actual.done)
  if (change.flagKey !== undefined) {
    const key = change.flagKey
    expectSame(
      'before',
      done.contexts.map((item) => withoutId(item.before)),
      resultsBefore.map((all) => all[key] ?? notFoundResult),
    )
    expectSame(
      'after',
      done.contexts.map((item) => withoutId(item.after)),
      resultsAfter.map((all) => all[key] ?? notFoundResult),
    )
  }
  const otherKeys = [...new Set([...resultsBefore, ...resultsAfter].flatMap(Object.keys))]
    .filter((key) => key !== change.flagKey)
    .sort()
  expectSame(
    'flags',
    done.flags.flatMap(({ key, contexts: list }) =>
      list.map(({ index, before, after }) => [key, index, servedVariation(before), servedVariation(after)]),
    ),
    otherKeys.flatMap((key) =>
      contexts.flatMap((_, index) => {
        const [item, servedAfter] = [
          servedVariation(resultsBefore[index]?.[key]),
          servedVariation(resultsAfter[index]?.[key]),
        ]
        return isDeepStrictEqual(item, servedAfter) ? [] : [[key, index, item, servedAfter]]
      }),
    ),
  )
  const cached = new Set(before)
  const newRecords = after.filter((record) => !cached.has(record)).map((record) => JSON.parse(record) as StoredRecord)
  expectSame(
    'webhooks',
    done.webhooks.map(({ _id }) => `webhook/${_id}`),
    newRecords.flatMap((record) => (record.kind === 'task' ? record.queue.scope : [])).sort(),
  )
  const isLogged = newRecords.some((record) => record.kind === 'sample' && record.series.name === 'change-log')
  const { _links, _id, date, member, token, app, ...entry } =
    (isLogged && (await account.newestEntry())) || ({} as never)
  expectSame('entry', done.changeLogEntry, isLogged ? entry : undefined)
  if (JSON.stringify(done.webhooks).includes('not-for-everybody')) differences.push('the result contains a secret')
  return { differences, actual: true, changed: done.changed }
}

/** Result of an evaluator for an unknown or archived flag. */
const notFoundResult = { variationIndex: null, reason: { kind: 'ERROR', errorKind: 'FLAG_NOT_FOUND' } }

function withoutId(result: object): object {
  const { variationId, ...rest } = result as { readonly variationId?: unknown }
  return rest
}

/** Returns a value as JSON represents it, without undefined properties. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
