import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type KeysOfKind,
  type SegmentDraft,
  type SegmentRuleDraft,
  segmentDraftOf,
  segmentDrafts,
} from './segment-draft.ts'

const keys = { projectKey: 'web', environmentKey: 'production', segmentKey: 's' }

async function open() {
  const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
  await engine.bootstrap()
  const api = engine.as({ role: 'owner' })
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  await api.createSegment({ projectKey: 'web', environmentKey: 'production', body: { key: 's', name: 'S' } })
  return {
    read: async () => segmentDraftOf(await api.getSegment(keys)),
    async save(before: SegmentDraft, after: SegmentDraft) {
      const instructions = segmentDrafts.instructionsOf(before, after)
      if (instructions.length === 0) return
      // Cast: the instructions have the types of the console, which also sends them without the types of the engine.
      await api.patchSegment({ ...keys, body: { environmentKey: 'production', instructions: instructions as never } })
    },
    close: () => engine.close(),
  }
}

const names = ['a', 'b', 'c', 'd']

/** Lists of keys: a key of a kind is included, excluded, or in neither list. */
const anyLists = fc
  .record({
    user: fc.array(fc.constantFrom('included', 'excluded', 'none'), { minLength: 4, maxLength: 4 }),
    device: fc.array(fc.constantFrom('included', 'excluded', 'none'), { minLength: 4, maxLength: 4 }),
  })
  .map((places) => {
    const list = (wanted: string): KeysOfKind[] =>
      Object.entries(places).flatMap(([contextKind, ofKind]) => {
        const values = names.filter((_, index) => ofKind[index] === wanted)
        return values.length === 0 ? [] : [{ contextKind, values }]
      })
    return { included: list('included'), excluded: list('excluded') }
  })

const anyNewRule: fc.Arbitrary<SegmentRuleDraft> = fc.record({
  id: fc.uuid(),
  description: fc.constantFrom('', 'early', 'late'),
  clauses: fc.array(
    fc.record({
      contextKind: fc.constantFrom('user', 'device'),
      attribute: fc.constantFrom('country', 'age'),
      op: fc.constantFrom('in', 'contains'),
      negate: fc.boolean(),
      values: fc.uniqueArray(fc.constantFrom('x', 'y'), { minLength: 1 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
})

/**
 * Edits of a state: other lists, and rules that are removed, described otherwise, given another condition, or added.
 */
const anyEdit = fc.record({
  lists: anyLists,
  changes: fc.array(fc.constantFrom('keep', 'remove', 'describe', 'extend'), { minLength: 6, maxLength: 6 }),
  added: fc.array(anyNewRule, { maxLength: 2 }),
})

function edited(
  before: SegmentDraft,
  { lists, changes, added }: typeof anyEdit extends fc.Arbitrary<infer Edit> ? Edit : never,
) {
  const retainedRules = before.rules.flatMap((rule, index): readonly SegmentRuleDraft[] => {
    const change = changes[index % changes.length]
    if (change === 'remove') return []
    if (change === 'describe') return [{ ...rule, description: `${rule.description}!` }]
    if (change !== 'extend') return [rule]
    const [first] = rule.clauses
    const clause = { contextKind: 'user', attribute: 'plan', op: 'in', negate: false, values: ['pro'] }
    return [{ ...rule, clauses: [...(first ? [{ ...first, negate: !first.negate }] : []), clause] }]
  })
  return { ...lists, rules: [...retainedRules, ...added] }
}

/** A state without the ids that the engine gives, and without the order of keys and kinds. */
function comparable({ included, excluded, rules }: SegmentDraft) {
  const lists = (all: readonly KeysOfKind[]) =>
    all.flatMap(({ contextKind, values }) => values.map((value) => `${contextKind} ${value}`)).sort()
  return {
    included: lists(included),
    excluded: lists(excluded),
    rules: rules.map(({ description, clauses }) => ({
      description,
      clauses: clauses.map(({ _id, ...clause }) => clause),
    })),
  }
}

it('the instructions of a draft change the segment into the edited one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEdit, { minLength: 1, maxLength: 4 }), async (edits) => {
      const segment = await open()
      for (const edit of edits) {
        const before = await segment.read()
        const after = edited(before, edit)
        await segment.save(before, after)
        expect(comparable(await segment.read())).toEqual(comparable(after))
      }
      await segment.close()
    }),
    { numRuns: 40 },
  )
})

it('a merge keeps the keys that each of two people added or removed', () => {
  fc.assert(
    fc.property(anyLists, anyLists, anyLists, (base, yours, theirs) => {
      const draft = (lists: typeof base): SegmentDraft => ({ ...lists, rules: [] })
      const { merged, conflicts } = segmentDrafts.merge({
        base: draft(base),
        yours: draft(yours),
        theirs: draft(theirs),
      })
      expect(conflicts).toEqual([])
      const [before, mine, other, result] = [base, yours, theirs, merged].map(
        (lists) => new Set(comparable({ ...lists, rules: [] }).included),
      ) as [Set<string>, Set<string>, Set<string>, Set<string>]
      for (const key of [...before, ...mine, ...other]) {
        const changedByBoth = mine.has(key) === other.has(key)
        const expected = changedByBoth ? mine.has(key) : !before.has(key)
        expect(result.has(key), key).toBe(expected)
      }
    }),
  )
})

it('a rule that two people changed in different ways is a conflict, and the version that is chosen is kept', () => {
  const rule = (description: string): SegmentDraft => ({
    included: [],
    excluded: [],
    rules: [{ id: '1', _id: '1', description, clauses: [] }],
  })
  const { merged, conflicts } = segmentDrafts.merge({ base: rule(''), yours: rule('mine'), theirs: rule('theirs') })
  expect(conflicts.map(({ part }) => part)).toEqual(['rules'])
  expect(merged).toEqual(rule('theirs'))
  expect(
    segmentDrafts.merge({ base: rule(''), yours: rule('mine'), theirs: rule('theirs') }, { rules: 'yours' }).merged,
  ).toEqual(rule('mine'))
})
