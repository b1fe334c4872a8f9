import type { texts } from '../texts.ts'
import { sameJson, type TargetingDraft } from './draft.ts'

/** The parts of a resource that two people can change independently. Each rule is a part of its own. */
export type PartName = keyof typeof texts.merge.parts

/** The state to keep of each part that both people changed. Default: theirs. */
export type Choices = Readonly<Partial<Record<PartName, 'yours' | 'theirs'>>>

/** A part that both people changed in different ways. */
export interface MergeConflict {
  readonly part: PartName
  readonly base: unknown
  readonly yours: unknown
  readonly theirs: unknown
}

/** The state from which two people began, and what each of them made of it. */
export interface Versions<State> {
  readonly base: State
  readonly yours: State
  readonly theirs: State
}

const properties = {
  on: 'on',
  offVariation: 'offVariationId',
  fallthrough: 'fallthrough',
  targets: 'targets',
  prerequisites: 'prerequisites',
} as const

/**
 * Merges the changes of two people to the same properties.
 *
 * @param names the property of each part.
 * @returns the merged state, and the parts that both changed in different ways.
 */
export function mergeProperties<Draft extends object>(
  names: Readonly<Partial<Record<PartName, keyof Draft>>>,
  { base, yours, theirs }: Versions<Draft>,
  keep: Choices = {},
): { readonly merged: Draft; readonly conflicts: readonly MergeConflict[] } {
  const conflicts: MergeConflict[] = []
  const merged = { ...theirs }
  for (const [part, name] of Object.entries(names) as [PartName, keyof Draft][]) {
    const [before, mine, other] = [base[name], yours[name], theirs[name]]
    if (sameJson(mine, before) || sameJson(mine, other)) continue
    if (sameJson(other, before)) merged[name] = mine
    else {
      conflicts.push({ part, base: before, yours: mine, theirs: other })
      if (keep[part] === 'yours') merged[name] = mine
    }
  }
  return { merged, conflicts }
}

/**
 * Merges the changes of two people to the same targeting.
 *
 * @param keep what to keep of the parts that both changed. Default: theirs.
 * @returns the merged state, and the parts that both changed in different ways.
 */
export function mergeDrafts(
  versions: Versions<TargetingDraft>,
  keep: Choices = {},
): { readonly merged: TargetingDraft; readonly conflicts: readonly MergeConflict[] } {
  const { base, yours, theirs } = versions
  const rules = mergeRules(base.rules, yours.rules, theirs.rules)
  const names = rules ? properties : { ...properties, rules: 'rules' as const }
  const { merged, conflicts } = mergeProperties(names, versions, keep)
  return { merged: rules ? { ...merged, rules } : merged, conflicts }
}

/**
 * Merges changes that two people made to different rules, if at least one of them left the order and the number of the
 * rules unchanged. Returns undefined when the lists have to be compared as a whole.
 */
export function mergeRules<Rule extends { readonly id: string }>(
  base: readonly Rule[],
  yours: readonly Rule[],
  theirs: readonly Rule[],
): readonly Rule[] | undefined {
  const sameRules = (a: readonly Rule[], b: readonly Rule[]) =>
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
