import { type RuleDraft, sameJson, type TargetingDraft } from './draft.ts'

/** The parts of a targeting that two people can change independently. Each rule is a part of its own. */
export type PartName = 'on' | 'offVariation' | 'fallthrough' | 'targets' | 'prerequisites' | 'rules'

/** A part that both people changed in different ways. */
export interface MergeConflict {
  readonly part: PartName
  readonly base: unknown
  readonly yours: unknown
  readonly theirs: unknown
}

const properties = {
  on: 'on',
  offVariation: 'offVariationId',
  fallthrough: 'fallthrough',
  targets: 'targets',
  prerequisites: 'prerequisites',
} as const

/**
 * Merges the changes of two people to the same targeting.
 *
 * @param base the state from which both began.
 * @param keep what to keep of the parts that both changed. Default: theirs.
 * @returns the merged state, and the parts that both changed in different ways.
 */
export function mergeDrafts(
  base: TargetingDraft,
  yours: TargetingDraft,
  theirs: TargetingDraft,
  keep: Readonly<Partial<Record<PartName, 'yours' | 'theirs'>>> = {},
): { readonly merged: TargetingDraft; readonly conflicts: readonly MergeConflict[] } {
  const conflicts: MergeConflict[] = []
  const merge = <Part>(part: PartName, before: Part, mine: Part, other: Part): Part => {
    if (sameJson(mine, before) || sameJson(mine, other)) return other
    if (sameJson(other, before)) return mine
    conflicts.push({ part, base: before, yours: mine, theirs: other })
    return keep[part] === 'yours' ? mine : other
  }
  const merged = { ...theirs }
  for (const [part, name] of Object.entries(properties) as [keyof typeof properties, keyof TargetingDraft][])
    Object.assign(merged, { [name]: merge(part, base[name], yours[name], theirs[name]) })
  const rules = mergeRules(base.rules, yours.rules, theirs.rules)
  return { merged: { ...merged, rules: rules ?? merge('rules', base.rules, yours.rules, theirs.rules) }, conflicts }
}

/**
 * Merges changes of different rules when one of the two people changed neither their order nor their number. Returns
 * undefined when the lists have to be compared as a whole.
 */
function mergeRules(
  base: readonly RuleDraft[],
  yours: readonly RuleDraft[],
  theirs: readonly RuleDraft[],
): readonly RuleDraft[] | undefined {
  const sameRules = (a: readonly RuleDraft[], b: readonly RuleDraft[]) =>
    sameJson(
      a.map(({ id }) => id),
      b.map(({ id }) => id),
    )
  const [fixed, moving] = sameRules(base, yours) ? [yours, theirs] : [theirs, yours]
  if (!sameRules(base, fixed)) return undefined
  let failed = false
  const merged = moving.map((rule) => {
    const before = base.find(({ id }) => id === rule.id)
    const other = fixed.find(({ id }) => id === rule.id)
    if (!before || !other || sameJson(other, before) || sameJson(other, rule)) return rule
    if (!sameJson(rule, before)) failed = true
    return other
  })
  // A rule that one person changed and the other one removed.
  const lost = fixed.some(
    (rule) =>
      !moving.some(({ id }) => id === rule.id) &&
      !sameJson(
        rule,
        base.find(({ id }) => id === rule.id),
      ),
  )
  return failed || lost ? undefined : merged
}
