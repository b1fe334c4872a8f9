import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CallResponse } from '../../../entries/operations.ts'
import type { ApiError } from '../../../index.ts'
import type { getSegment } from '../get-segment.ts'
import { clause, segmentAccount } from '../test/segment-account.ts'

/** One change of a segment, in both patch formats. */
interface SegmentChange {
  readonly instructions: readonly object[]
  /** The change as JSON Patch operations on the current segment. */
  readonly operations: (segment: SegmentResponse) => readonly object[]
}

type SegmentResponse = CallResponse<typeof getSegment>

const someKeys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 3 })
const ruleIds = ['r1', 'r2', 'r3']

const addOperations = (path: string, existing: readonly string[], keys: readonly string[]) =>
  keys.filter((key) => !existing.includes(key)).map((value) => ({ op: 'add', path: `${path}/-`, value }))

/** Starts from the end, so that no removal changes the index of the next one. */
const removeOperations = (path: string, existing: readonly string[], keys: readonly string[]) =>
  existing
    .map((key, at) => ({ key, at }))
    .filter(({ key }) => keys.includes(key))
    .reverse()
    .map(({ at }) => ({ op: 'remove', path: `${path}/${at}` }))

const sideChange = fc
  .tuple(fc.constantFrom('included' as const, 'excluded'), fc.boolean(), fc.boolean(), someKeys)
  .map(([side, adds, byUsers, values]): SegmentChange => {
    const name = `${side === 'included' ? 'Included' : 'Excluded'}${byUsers ? 'Users' : 'Targets'}`
    return {
      instructions: [{ kind: `${adds ? 'add' : 'remove'}${name}`, values }],
      operations: (segment) => (adds ? addOperations : removeOperations)(`/${side}`, segment[side] ?? [], values),
    }
  })

const tagChange = fc.tuple(fc.boolean(), someKeys).map(
  ([adds, values]): SegmentChange => ({
    instructions: [{ kind: adds ? 'addTags' : 'removeTags', values }],
    operations: ({ tags }) => (adds ? addOperations : removeOperations)('/tags', tags, values),
  }),
)

const nameChange = fc.constantFrom('Alpha', 'Beta').map(
  (value): SegmentChange => ({
    instructions: [{ kind: 'updateName', value }],
    operations: () => [{ op: 'replace', path: '/name', value }],
  }),
)

const descriptionChange = fc.tuple(fc.constantFrom(...ruleIds), fc.constantFrom('one', 'two')).map(
  ([ruleId, description]): SegmentChange => ({
    instructions: [{ kind: 'updateRuleDescription', ruleId, description }],
    operations: ({ rules }) => {
      const position = rules.findIndex((rule) => rule._id === ruleId)
      // When the rule no longer exists, both patches must be rejected. The JSON Patch then uses the index after the
      // last rule, which has no description.
      const index = position < 0 ? rules.length : position
      return [{ op: 'add', path: `/rules/${index}/description`, value: description }]
    },
  }),
)

const removalChange = fc.constantFrom(...ruleIds).map(
  (ruleId): SegmentChange => ({
    instructions: [{ kind: 'removeRule', ruleId }],
    operations: ({ rules }) =>
      rules.flatMap((rule, index) => (rule._id === ruleId ? [{ op: 'remove', path: `/rules/${index}` }] : [])),
  }),
)

const reorderChange = fc.shuffledSubarray(ruleIds, { minLength: 3 }).map(
  (ids): SegmentChange => ({
    instructions: [{ kind: 'reorderRules', ruleIds: ids }],
    // When a rule no longer exists, both patches are rejected.
    operations: ({ rules }) => {
      const remaining = rules.map((rule) => rule._id)
      return ids.map((id, to) => {
        const from = remaining.includes(id) ? remaining.indexOf(id) : remaining.length
        remaining.splice(from, 1)
        remaining.splice(to, 0, id)
        return { op: 'move', from: `/rules/${from}`, path: `/rules/${to}` }
      })
    },
  }),
)

const changes = fc.array(fc.oneof(sideChange, tagChange, nameChange, descriptionChange, removalChange, reorderChange), {
  maxLength: 12,
})

it('a JSON Patch and equivalent instructions result in the same segment, or are both rejected', async () => {
  const { create, get, instruct, patch } = await segmentAccount()
  const rules = ruleIds.map((_id) => ({ _id, clauses: [clause({ _id: `${_id}-c` })] }))
  let runs = 0

  async function freshSegment(kind: string): Promise<string> {
    const key = `${kind}-${runs}`
    await create(key, { name: 'Beta' })
    await patch(key, [{ op: 'replace', path: '/rules', value: rules }])
    return key
  }

  async function contentOf(segmentKey: string) {
    const { key, _links, ...content } = await get(segmentKey)
    return content
  }

  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      runs++
      const instructed = await freshSegment('instructed')
      const patched = await freshSegment('patched')
      for (const change of list) {
        const operations = change.operations(await get(patched))
        const outcome = await outcomeOf(instruct(instructed, change.instructions))
        expect(await outcomeOf(patch(patched, operations))).toBe(outcome)
        expect(await contentOf(patched)).toEqual(await contentOf(instructed))
      }
    }),
    { numRuns: 60 },
  )
})

function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: ApiError) => error.code,
  )
}
