import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Evaluated, EvaluationContext } from '../../../entries/evaluation.ts'
import type { Storage, StoredRecord } from '../../../entries/storage.ts'
import { type As, createEngine } from '../../../index.ts'
import { failureOf } from '../../account/test/calls.ts'

const place = { projectKey: 'web', environmentKey: 'production' }
const start = Date.UTC(2026, 10, 2, 9, 30)

export const contexts: readonly EvaluationContext[] = [
  ...['ann', 'bob', 'cleo', 'dan'].map((key) => ({ kind: 'user', key, country: key < 'c' ? 'de' : 'fr' })),
  { kind: 'org', key: 'acme' },
  { kind: 'multi', user: { key: 'ann' }, org: { key: 'acme', size: 12 } },
]

const flagKeys = ['f0', 'f1', 'f2', 'f3'] as const
const segmentKeys = ['s0', 's1', 'big'] as const

/** A change as `simulate` takes it, and the number of the variation that stands for an id in it. */
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
/** Replaced by the id of that variation; no flag has a tenth. */
const variationId = fc.constantFrom('variation 0', 'variation 1', 'variation 2', 'variation 9')
const clause = fc.oneof(
  anySegment.map((key) => ({ contextKind: 'user', attribute: '', op: 'segmentMatch', values: [key], negate: false })),
  fc
    .constantFrom('de', 'fr')
    .map((country) => ({ contextKind: 'user', attribute: 'country', op: 'in', values: [country], negate: false })),
)

const flagInstruction = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom({ kind: 'turnFlagOn' }, { kind: 'turnFlagOff' }) },
  // A flag that is gone has little more to tell.
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

const asks = (key: string) => ({ contextKind: 'user', attribute: '', op: 'segmentMatch', values: [key], negate: false })
const served = [
  { kind: 'turnFlagOn' },
  { kind: 'updateFallthroughVariationOrRollout', variationId: 'variation 0' },
  { kind: 'updateOffVariation', variationId: 'variation 2' },
]
const rule = (segmentKey: string) => ({ kind: 'addRule', clauses: [asks(segmentKey)], variationId: 'variation 1' })

/** Has f2 wait for f1 and that for f0, which asks for the big segment, and f3 ask for s1, which asks for s0. */
const firstChanges: readonly RandomChange[] = [
  { segmentKey: 's1', instructions: [{ kind: 'addRule', clauses: [asks('s0')] }] },
  { flagKey: 'f0', instructions: [...served, rule('big')] },
  { flagKey: 'f1', instructions: [...served, { kind: 'addPrerequisite', key: 'f0', variationId: 'variation 0' }] },
  { flagKey: 'f2', instructions: [...served, { kind: 'addPrerequisite', key: 'f1', variationId: 'variation 0' }] },
  { flagKey: 'f3', instructions: [...served, rule('s1')] },
]

/** An account with flags that wait for each other and ask for segments, and two webhooks. */
export async function simulatedAccount(storage: Storage) {
  let ids = 0
  const as: As = { role: 'owner' }
  const engine = createEngine({ storage, clock: () => start, newId: () => `id-${++ids}`, rateLimit: false })
  await engine.bootstrap()
  const { api } = engine
  await fillAccount(api, as)
  const said = sayer(api, as)
  const make = maker(api, as)
  const everything = () => everythingIn(storage)
  for (const change of firstChanges) await make(await said(change))
  const evaluator = engine.evaluator(place)

  /** What every flag is for every context, and which of its variations that is. */
  async function answers() {
    await evaluator.ready()
    for (const context of contexts) await evaluator.lookUpBigSegments(context)
    return contexts.map((context) => evaluator.evaluateAll(context))
  }

  let known: Promise<{ answers: Awaited<ReturnType<typeof answers>>; stored: string[] }> | undefined
  const look = async () => ({ answers: await answers(), stored: await everything() })

  return {
    engine,
    as,
    /** What all flags are, and all that is stored: looked at once, until something was changed. */
    seen: { now: () => (known ??= look()), forget: () => (known = undefined) },
    api,
    everything,
    said,
    make,
    simulate: (change: RandomChange) => engine.simulate({ ...place, ...change, contexts } as never, { as }),
    /** Makes ids begin anew where they were, so that a change made twice has the same. */
    async repeating<T>(work: () => Promise<T>): Promise<T> {
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
  for (const key of ['s0', 's1']) await api.createSegment({ ...place, body: { key, name: key } }, { as })
  const big = { key: 'big', name: 'big', unbounded: true, unboundedContextKind: 'user' }
  await api.createSegment({ ...place, body: big }, { as })
  const variations = ['red', 'green', 'blue'].map((value) => ({ value }))
  for (const key of flagKeys) await api.createFlag({ projectKey: 'web', body: { key, name: key, variations } }, { as })
  const webhook = { url: 'https://chat.example.com/hook?token=not-for-everybody', on: true, sign: false }
  await api.createWebhook({ body: { ...webhook, name: 'all' } }, { as })
  const statements = [{ effect: 'allow' as const, resources: ['proj/*:env/*:flag/*'], actions: ['updateOn'] }]
  await api.createWebhook({ body: { ...webhook, name: 'on', statements } }, { as })
}

/** Everything that is stored, as text. */
async function everythingIn(storage: Storage): Promise<string[]> {
  const records: string[] = []
  for await (const chunk of storage.account('default').dump()) {
    records.push(...chunk.map((record: StoredRecord) => JSON.stringify(record)))
  }
  return records
}

/** Puts ids in the places of variations: those of the flag that an instruction is about. */
function sayer(api: Api, as: As) {
  return async (change: RandomChange): Promise<RandomChange> => {
    const { flagKey, instructions } = change
    if (flagKey === undefined || !instructions) return change
    const asked = instructions.map(async (instruction: { readonly key?: string }) => {
      const featureFlagKey = instruction.key ?? flagKey
      const flag = await api.getFlag({ projectKey: 'web', featureFlagKey }, { as }).catch(() => ({ variations: [] }))
      const idAt = (_: string, at: string) => JSON.stringify(flag.variations[Number(at)]?._id ?? 'none')
      return JSON.parse(JSON.stringify(instruction).replaceAll(/"variation (\d)"/g, idAt))
    })
    return { ...change, instructions: await Promise.all(asked) }
  }
}

function maker(api: Api, as: As) {
  return ({ flagKey, segmentKey, instructions, patch: operations, comment }: RandomChange): Promise<unknown> => {
    const body = (
      instructions ? { environmentKey: 'production', instructions } : { patch: operations, comment }
    ) as never
    return flagKey === undefined
      ? api.patchSegment({ ...place, segmentKey: segmentKey as string, body }, { as })
      : api.patchFlag({ projectKey: 'web', featureFlagKey: flagKey, body }, { as })
  }
}

export type SimulatedAccount = Awaited<ReturnType<typeof simulatedAccount>>

type Outcome<T> = { readonly done: T } | { readonly failure: unknown }

const outcomeOf = <T>(call: Promise<T>): Promise<Outcome<T>> =>
  call.then(
    (done): Outcome<T> => ({ done }),
    async () => ({ failure: await failureOf(call) }),
  )

/**
 * Simulates a change and then makes it, and says in what the two differ; empty where the simulation left no trace and
 * told just what came of the change.
 *
 * @returns besides the differences, whether the change could be made.
 */
export async function checkedChange(account: SimulatedAccount, random: RandomChange) {
  const change = await account.said(random)
  const differences: unknown[] = []
  const same = (what: string, simulated: unknown, made: unknown) => {
    if (!isDeepStrictEqual(plain(simulated), plain(made))) differences.push({ what, simulated, made })
  }
  const { answers: was, stored: before } = await account.seen.now()
  const simulated = await account.repeating(() => outcomeOf(account.simulate(change)))
  same('what is stored', await account.everything(), before)
  const made = await outcomeOf(account.make(change))
  if ('failure' in simulated || 'failure' in made) {
    same('failure', simulated, made)
    return { differences, made: false, changed: 0 }
  }
  const { done } = simulated
  account.seen.forget()
  const { answers: is, stored: after } = await account.seen.now()
  same('answer', done.answer, made.done)
  if (change.flagKey !== undefined) {
    const key = change.flagKey
    same(
      'before',
      done.contexts.map((one) => withoutId(one.before)),
      was.map((all) => all[key] ?? missing),
    )
    same(
      'after',
      done.contexts.map((one) => withoutId(one.after)),
      is.map((all) => all[key] ?? missing),
    )
  }
  const others = [...new Set([...was, ...is].flatMap(Object.keys))].filter((key) => key !== change.flagKey).sort()
  // Their own variations stay what they are, so that an index tells them apart.
  const served = ({ value, variationIndex }: Partial<Evaluated> = {}) => [value ?? null, variationIndex ?? null]
  same(
    'flags',
    done.flags.flatMap(({ key, contexts: list }) =>
      list.map(({ index, before, after }) => [key, index, served(before), served(after)]),
    ),
    others.flatMap((key) =>
      contexts.flatMap((_, index) => {
        const [one, other] = [served(was[index]?.[key]), served(is[index]?.[key])]
        return isDeepStrictEqual(one, other) ? [] : [[key, index, one, other]]
      }),
    ),
  )
  const known = new Set(before)
  const come = after.filter((record) => !known.has(record)).map((record) => JSON.parse(record) as StoredRecord)
  same(
    'webhooks',
    done.webhooks.map(({ _id }) => `webhook/${_id}`),
    come.flatMap((record) => (record.kind === 'task' ? record.queue.scope : [])).sort(),
  )
  const isLogged = come.some((record) => record.kind === 'sample' && record.series.name === 'change-log')
  const { _links, _id, date, member, token, app, ...entry } =
    (isLogged && (await account.newestEntry())) || ({} as never)
  same('entry', done.changeLogEntry, isLogged ? entry : undefined)
  if (JSON.stringify(done.webhooks).includes('not-for-everybody')) differences.push('a secret was told')
  return { differences, made: true, changed: done.changed }
}

/** What an evaluator says of a flag that is not there, or archived. */
const missing = { variationIndex: null, reason: { kind: 'ERROR', errorKind: 'FLAG_NOT_FOUND' } }

function withoutId(answer: object): object {
  const { variationId, ...evaluated } = answer as { readonly variationId?: unknown }
  return evaluated
}

/** As JSON has it: a member that is undefined is not there. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
