/** Weights are thousandths of a percent. */
export const wholeWeight = 100_000

/** The result that a rule serves: one variation, or variations by weight. Variations are named by their `_id`. */
export type ServeDraft =
  | { readonly variationId: string }
  | {
      readonly weights: Readonly<Record<string, number>>
      readonly contextKind: string
      readonly bucketBy?: string | undefined
    }

/** A condition. A new one has no `_id`. */
export interface ClauseDraft {
  readonly _id?: string | undefined
  readonly contextKind: string
  readonly attribute: string
  readonly op: string
  readonly negate: boolean
  readonly values: readonly (string | number | boolean)[]
}

/** A rule. `id` identifies it in the editor; `_id` is the id of the stored rule, which a new rule does not have. */
export interface RuleDraft {
  readonly id: string
  readonly _id?: string | undefined
  readonly description: string
  readonly clauses: readonly ClauseDraft[]
  readonly serve: ServeDraft
}

/** The keys of one kind of context that get a variation. */
export interface TargetDraft {
  readonly contextKind: string
  readonly variationId: string
  readonly values: readonly string[]
}

export interface PrerequisiteDraft {
  readonly key: string
  readonly variationId: string
}

/** The targeting of a flag in an environment, as the editor changes it. */
export interface TargetingDraft {
  readonly on: boolean
  readonly offVariationId: string | undefined
  readonly fallthrough: ServeDraft
  readonly targets: readonly TargetDraft[]
  readonly prerequisites: readonly PrerequisiteDraft[]
  readonly rules: readonly RuleDraft[]
}

interface StoredServe {
  readonly variation?: number | undefined
  readonly rollout?:
    | {
        readonly variations: readonly { readonly variation: number; readonly weight: number }[]
        readonly contextKind: string
        readonly bucketBy?: string | undefined
      }
    | undefined
}

interface StoredTarget {
  readonly contextKind: string
  readonly variation: number
  readonly values: readonly string[]
}

/** The parts of a configuration in a response that the editor changes. */
export interface StoredTargeting {
  readonly on: boolean
  readonly offVariation?: number | undefined
  readonly fallthrough: StoredServe
  readonly targets?: readonly StoredTarget[] | undefined
  readonly contextTargets?: readonly StoredTarget[] | undefined
  readonly prerequisites?: readonly { readonly key: string; readonly variation: number }[] | undefined
  readonly rules?: readonly (StoredServe & {
    readonly _id: string
    readonly description?: string | undefined
    readonly clauses: readonly (ClauseDraft & { readonly _id: string })[]
  })[]
}

/**
 * Reads the targeting of a flag.
 *
 * @param variationIds the `_id` of each variation.
 * @param prerequisiteVariations the `_id` of each variation of the prerequisite flags, by flag key.
 */
export function draftOf(
  stored: StoredTargeting,
  variationIds: readonly string[],
  prerequisiteVariations: Readonly<Record<string, readonly string[]>> = {},
): TargetingDraft {
  const idOf = (index: number) => variationIds[index] ?? ''
  const serveOf = ({ variation, rollout }: StoredServe): ServeDraft => {
    if (!rollout) return { variationId: idOf(variation ?? 0) }
    const weights: Record<string, number> = {}
    for (const entry of rollout.variations) weights[idOf(entry.variation)] = entry.weight
    const { contextKind, bucketBy } = rollout
    return { weights, contextKind, ...(bucketBy === undefined ? {} : { bucketBy }) }
  }
  const targetOf = ({ contextKind, variation, values }: StoredTarget) => ({
    contextKind,
    variationId: idOf(variation),
    values,
  })
  return {
    on: stored.on,
    offVariationId: stored.offVariation === undefined ? undefined : idOf(stored.offVariation),
    fallthrough: serveOf(stored.fallthrough),
    targets: [...(stored.targets ?? []), ...(stored.contextTargets ?? [])].map(targetOf),
    prerequisites: (stored.prerequisites ?? []).map(({ key, variation }) => ({
      key,
      variationId: (Object.hasOwn(prerequisiteVariations, key) && prerequisiteVariations[key]?.[variation]) || '',
    })),
    rules: (stored.rules ?? []).map((rule) => ({
      id: rule._id,
      _id: rule._id,
      description: rule.description ?? '',
      clauses: rule.clauses,
      serve: serveOf(rule),
    })),
  }
}

/** Compares two JSON values; the order of the properties of an object does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a, b].map((value) =>
    Object.entries(value).filter(([, property]) => property !== undefined),
  ) as [[string, unknown][], [string, unknown][]]
  const other = b as Readonly<Record<string, unknown>>
  return (
    left.length === right.length &&
    left.every(([name, value]) => Object.hasOwn(b, name) && sameJson(value, other[name]))
  )
}
