import type { Segment } from '../../api.ts'
import type { RuleDraft } from '../../targeting/draft.ts'
import type { DraftKind } from '../../targeting/draft-panel.tsx'
import { clauseInput, descriptionAndClauses, type Instruction } from '../../targeting/instructions-of.ts'
import { mergeProperties, mergeRules } from '../../targeting/merge-drafts.ts'

/** The keys of one kind of context in a list. */
export interface KeysOfKind {
  readonly contextKind: string
  readonly values: readonly string[]
}

/**
 * A rule of a segment. `id` identifies it in the editor; `_id` is the id of the stored rule, which a new rule does not
 * have.
 */
export type SegmentRuleDraft = Pick<RuleDraft, 'id' | '_id' | 'description' | 'clauses'>

/** The parts of a segment that the editor changes. Lists without keys are left out. */
export interface SegmentDraft {
  readonly included: readonly KeysOfKind[]
  readonly excluded: readonly KeysOfKind[]
  readonly rules: readonly SegmentRuleDraft[]
}

/** Reads the parts of a segment. */
export function segmentDraftOf(segment: Segment): SegmentDraft {
  const lists = (users: readonly string[], contexts: readonly KeysOfKind[]) =>
    [{ contextKind: 'user', values: users }, ...contexts].filter(({ values }) => values.length > 0)
  return {
    included: lists(segment.included, segment.includedContexts),
    excluded: lists(segment.excluded ?? [], segment.excludedContexts),
    rules: segment.rules.map(({ _id, description = '', clauses }) => ({ id: _id, _id, description, clauses })),
  }
}

/** Returns the keys of a kind of context in a list. */
export function keysOfKind(lists: readonly KeysOfKind[], contextKind: string): readonly string[] {
  return lists.find((list) => list.contextKind === contextKind)?.values ?? []
}

export const segmentDrafts: DraftKind<SegmentDraft> = {
  isComplete: ({ rules }) => rules.every(({ clauses }) => clauses.every(({ values }) => values.length > 0)),
  instructionsOf: (before, after) => [
    // A key can be in one list only, so it is removed from one before it is added to the other.
    ...keyInstructions('removeIncludedTargets', before.included, after.included),
    ...keyInstructions('removeExcludedTargets', before.excluded, after.excluded),
    ...keyInstructions('addIncludedTargets', after.included, before.included),
    ...keyInstructions('addExcludedTargets', after.excluded, before.excluded),
    ...ruleInstructions(before.rules, after.rules),
  ],
  merge(versions, keep) {
    const { base, yours, theirs } = versions
    const rules = mergeRules(base.rules, yours.rules, theirs.rules)
    const { merged, conflicts } = mergeProperties(rules ? {} : { rules: 'rules' }, versions, keep)
    return {
      merged: {
        included: mergeKeys(base.included, yours.included, theirs.included),
        excluded: mergeKeys(base.excluded, yours.excluded, theirs.excluded),
        rules: rules ?? merged.rules,
      },
      conflicts,
    }
  },
}

function kindsOf(...lists: readonly (readonly KeysOfKind[])[]): readonly string[] {
  return [...new Set(lists.flat().map(({ contextKind }) => contextKind))]
}

/** Returns the elements of the first list that the second one does not have. */
function without(values: readonly string[], others: readonly string[]): readonly string[] {
  const set = new Set(others)
  return values.filter((value) => !set.has(value))
}

/** Merges keys that two people added and removed. If both changed the same key, they made the same change. */
function mergeKeys(
  base: readonly KeysOfKind[],
  yours: readonly KeysOfKind[],
  theirs: readonly KeysOfKind[],
): readonly KeysOfKind[] {
  return kindsOf(theirs, yours).flatMap((contextKind) => {
    const [before, mine, other] = [base, yours, theirs].map((lists) => keysOfKind(lists, contextKind)) as [
      readonly string[],
      readonly string[],
      readonly string[],
    ]
    const values = [...new Set([...without(other, without(before, mine)), ...without(mine, before)])]
    return values.length === 0 ? [] : [{ contextKind, values }]
  })
}

/** Returns one instruction for the keys of each kind that are in the first lists and not in the second ones. */
function keyInstructions(kind: string, lists: readonly KeysOfKind[], others: readonly KeysOfKind[]): Instruction[] {
  return lists.flatMap(({ contextKind, values }) => {
    const keys = [...new Set(without(values, keysOfKind(others, contextKind)))]
    return keys.length === 0 ? [] : [{ kind, contextKind, values: keys }]
  })
}

function ruleInstructions(before: readonly SegmentRuleDraft[], after: readonly SegmentRuleDraft[]): Instruction[] {
  const removed = before.filter(({ id }) => !after.some((rule) => rule.id === id))
  return [
    ...removed.map(({ _id }) => ({ kind: 'removeRule', ruleId: _id })),
    ...after.flatMap((rule) => {
      const existing = before.find(({ id }) => id === rule.id)
      if (existing) return descriptionAndClauses(existing, rule)
      const { clauses, description } = rule
      return [{ kind: 'addRule', clauses: clauses.map(clauseInput), ...(description === '' ? {} : { description }) }]
    }),
  ]
}
