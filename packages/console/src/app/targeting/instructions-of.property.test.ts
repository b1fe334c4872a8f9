import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type ClauseDraft,
  draftOf,
  type RuleDraft,
  type ServeDraft,
  type TargetDraft,
  type TargetingDraft,
} from './draft.ts'
import { instructionsOf } from './instructions-of.ts'

const keys = { projectKey: 'web', flagKey: 'f' }
const environmentKey = 'production'

async function open() {
  const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
  const api = engine.as({ role: 'owner' })
  await engine.bootstrap()
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  const variations = [{ value: 'a' }, { value: 'b' }, { value: 'c' }]
  await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F', variations } })
  for (const key of ['p', 'q']) await api.createFlag({ projectKey: 'web', body: { key, name: key } })
  const read = async () => {
    const [flag, p, q] = await Promise.all([
      api.getFlag(keys),
      api.getFlag({ ...keys, flagKey: 'p' }),
      api.getFlag({ ...keys, flagKey: 'q' }),
    ])
    const ids = ({ variations: all }: typeof flag) => all.map(({ _id }) => _id)
    const stored = flag.environments?.[environmentKey]
    if (!stored) throw new Error('the flag has no configuration')
    return {
      draft: draftOf(stored, ids(flag), { p: ids(p), q: ids(q) }),
      ids: ids(flag),
      others: { p: ids(p), q: ids(q) },
    }
  }
  const save = async (before: TargetingDraft, after: TargetingDraft) => {
    const instructions = instructionsOf(before, after)
    if (instructions.length === 0) return
    // Cast: the instructions have the types of the console, which also sends them without the types of the engine.
    await api.patchFlag({ ...keys, body: { environmentKey, instructions: instructions as never } })
  }
  return { read, save, close: () => engine.close() }
}

type Ids = readonly string[]

const anyClause: fc.Arbitrary<ClauseDraft> = fc.record({
  contextKind: fc.constantFrom('user', 'device'),
  attribute: fc.constantFrom('country', 'age'),
  op: fc.constantFrom('in', 'endsWith', 'contains'),
  negate: fc.boolean(),
  values: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
})

const anyServe = (ids: Ids): fc.Arbitrary<ServeDraft> =>
  fc.oneof(
    fc.record({ variationId: fc.constantFrom(...ids) }),
    fc.integer({ min: 0, max: 100_000 }).chain((weight) =>
      fc.record({
        weights: fc.constant({ [ids[0] as string]: weight, [ids[1] as string]: 100_000 - weight }),
        contextKind: fc.constantFrom('user', 'device'),
        bucketBy: fc.constantFrom(undefined, 'country'),
      }),
    ),
  )

const newRule = (ids: Ids): fc.Arbitrary<RuleDraft> =>
  fc.record({
    id: fc.uuid(),
    description: fc.constantFrom('', 'one', 'two'),
    clauses: fc.array(anyClause, { minLength: 1, maxLength: 2 }),
    serve: anyServe(ids),
  })

/** Each key is a target of at most one variation of its kind. */
const anyTargets = (ids: Ids): fc.Arbitrary<TargetDraft[]> =>
  fc
    .array(fc.tuple(fc.constantFrom('user', 'device'), fc.nat(5), fc.constantFrom(...ids)), { maxLength: 8 })
    .map((all) => {
      const variationOf = new Map(all.map(([kind, key, id]) => [`${kind} ${key}`, id]))
      return ['user', 'device'].flatMap((contextKind) =>
        ids.flatMap((variationId) => {
          const values = [...variationOf].filter(
            ([name, id]) => name.startsWith(`${contextKind} `) && id === variationId,
          )
          return values.length === 0 ? [] : [{ contextKind, variationId, values: values.map(([name]) => name) }]
        }),
      )
    })

const prerequisitesAmong = ({ p, q }: { readonly p: Ids; readonly q: Ids }) =>
  fc
    .tuple(fc.option(fc.constantFrom(...p)), fc.option(fc.constantFrom(...q)))
    .map(([first, second]) => [
      ...(first ? [{ key: 'p', variationId: first }] : []),
      ...(second ? [{ key: 'q', variationId: second }] : []),
    ])

/** A stored rule as a person may have edited it. */
const edited = (rule: RuleDraft, ids: Ids): fc.Arbitrary<RuleDraft> =>
  fc
    .record({
      description: fc.constantFrom(rule.description, 'edited'),
      serve: fc.oneof(fc.constant(rule.serve), anyServe(ids)),
      kept: fc.subarray([...rule.clauses]),
      change: fc.option(anyClause),
      added: fc.array(anyClause, { maxLength: 1 }),
    })
    .map(({ description, serve, kept, change, added }) => {
      const clauses = kept.map((clause, index) => (index === 0 && change ? { ...change, _id: clause._id } : clause))
      return { ...rule, description, serve, clauses: [...clauses, ...added] }
    })

const anyRules = (stored: readonly RuleDraft[], ids: Ids) =>
  fc
    .tuple(
      fc.tuple(...stored.map((rule) => edited(rule, ids))).chain((rules) => fc.shuffledSubarray(rules)),
      fc.array(fc.tuple(newRule(ids), fc.nat(4)), { maxLength: 2 }),
    )
    .map(([rules, additions]) => additions.reduce((all, [rule, at]) => all.toSpliced(at, 0, rule), rules))

type State = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['read']>>

const editsOf = ({ draft, ids, others }: State): fc.Arbitrary<TargetingDraft> =>
  fc.record({
    on: fc.boolean(),
    offVariationId: fc.constantFrom(...ids),
    fallthrough: anyServe(ids),
    targets: anyTargets(ids),
    prerequisites: prerequisitesAmong(others),
    rules: anyRules(draft.rules, ids),
  })

/** Removes properties that the engine assigns, and sorts lists whose order has no meaning. */
function comparable({ targets, rules, prerequisites, ...draft }: TargetingDraft) {
  const clauseOf = ({ _id, ...clause }: ClauseDraft) => clause
  const sorted = <Item>(items: readonly Item[]) => items.map((item) => JSON.stringify(item)).sort()
  return JSON.parse(
    JSON.stringify({
      ...draft,
      prerequisites: sorted(prerequisites.map(({ key, variationId }) => [key, variationId])),
      targets: sorted(
        targets.map(({ contextKind, variationId, values }) => [contextKind, variationId, [...values].sort()]),
      ),
      rules: rules.map(({ description, clauses, serve }) => ({ description, clauses: clauses.map(clauseOf), serve })),
    }),
  )
}

it('the instructions of any edit change the targeting into the edited one', async () => {
  // Each edit begins with the targeting that results from the previous edit.
  const flag = await open()
  await fc.assert(
    fc.asyncProperty(fc.noShrink(fc.nat()), async (seed) => {
      const state = await flag.read()
      const [after] = fc.sample(editsOf(state), { seed, numRuns: 1 })
      if (!after) throw new Error('no edit was generated')
      await flag.save(state.draft, after)
      expect(comparable((await flag.read()).draft)).toEqual(comparable(after))
    }),
    { numRuns: 50, endOnFailure: true },
  )
  await flag.close()
})

it('an edit that changes nothing has no instructions', async () => {
  const flag = await open()
  const state = await flag.read()
  const [first] = fc.sample(editsOf(state), 1)
  if (first) await flag.save(state.draft, first)
  const { draft } = await flag.read()
  expect(instructionsOf(draft, structuredClone(draft))).toEqual([])
  await flag.close()
})
