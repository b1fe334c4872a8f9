import type { EvaluationContext, Ruleset } from '../../rules/evaluation/index.ts'
import { contextKindsIn, type SummarizedEvaluation } from '../../rules/sdk-protocol/sdk-events.ts'
import { userKind } from '../../rules/targeting/clause.ts'

/** Counts the evaluations of the flags of an environment, until `take` returns the counts. */
export interface EvaluationCounts {
  /**
   * Counts one evaluation. It costs two look-ups, because every evaluation calls it.
   *
   * @param context the evaluated context; undefined when it is not known.
   */
  add(flagKey: string, variationIndex: number | null, context: EvaluationContext | undefined): void
  /**
   * Returns the counts since the last call. Prerequisites of the counted flags are included with a count of 0, because
   * they are in use.
   *
   * @param time time of all the evaluations, because single times are not stored: integer ms, UTC.
   */
  take(ruleset: Ruleset, time: number): SummarizedEvaluation[]
}

interface FlagCounts {
  /** Counts by the index of the variation plus one. Index 0 counts the evaluations with the caller's default. */
  readonly byVariation: number[]
  readonly contextKinds: Set<string>
}

/** Makes empty counts. */
export function evaluationCounts(): EvaluationCounts {
  let byFlag = new Map<string, FlagCounts>()
  return {
    add(flagKey, variationIndex, context) {
      let counts = byFlag.get(flagKey)
      if (!counts) {
        counts = { byVariation: [], contextKinds: new Set() }
        byFlag.set(flagKey, counts)
      }
      const index = variationIndex === null ? 0 : variationIndex + 1
      counts.byVariation[index] = (counts.byVariation[index] ?? 0) + 1
      if (context) addKinds(counts.contextKinds, context)
    },
    take(ruleset, time) {
      const entries = [...byFlag].filter(([flagKey]) => ruleset.flags.get(flagKey))
      byFlag = new Map()
      const kindsByFlag = kindsWithPrerequisites(ruleset, entries)
      const kindsOf = (flagKey: string) => contextKindsIn([...(kindsByFlag.get(flagKey) ?? [])])
      const evaluations = entries.flatMap(([flagKey, { byVariation }]) =>
        [...byVariation.entries()].flatMap(([index, count]) =>
          count ? [{ flagKey, variation: index === 0 ? null : index - 1, count, at: time, ...kindsOf(flagKey) }] : [],
        ),
      )
      const evaluatedKeys = new Set(entries.map(([flagKey]) => flagKey))
      const prerequisites = [...kindsByFlag.keys()]
        .filter((flagKey) => !evaluatedKeys.has(flagKey))
        .map((flagKey) => ({ flagKey, variation: null, count: 0, at: time, ...kindsOf(flagKey) }))
      return [...evaluations, ...prerequisites]
    },
  }
}

function addKinds(kinds: Set<string>, context: EvaluationContext): void {
  const { kind } = context
  if (kind !== 'multi') kinds.add(kind ?? userKind)
  else for (const each of Object.keys(context)) if (each !== 'kind') kinds.add(each)
}

/**
 * Returns the kinds of contexts that flags and their direct and indirect prerequisites were evaluated for. A
 * prerequisite is evaluated for the contexts of the flags that depend on it.
 */
function kindsWithPrerequisites(
  ruleset: Ruleset,
  entries: readonly (readonly [string, FlagCounts])[],
): Map<string, Set<string>> {
  const kindsByFlag = new Map<string, Set<string>>()
  for (const [flagKey, { contextKinds }] of entries) {
    for (const key of [flagKey, ...prerequisitesOf(ruleset, flagKey)]) {
      kindsByFlag.set(key, new Set([...(kindsByFlag.get(key) ?? []), ...contextKinds]))
    }
  }
  return kindsByFlag
}

/** Returns the direct and indirect prerequisites of a flag, without the flag itself. */
function prerequisitesOf(ruleset: Ruleset, flagKey: string): Set<string> {
  const result = new Set<string>()
  const pending = [flagKey]
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const data = ruleset.flags.get(key)?.data
    for (const { key: prerequisite } of (data?.on && data.prerequisites) || []) {
      if (result.has(prerequisite) || prerequisite === flagKey || !ruleset.flags.get(prerequisite)) continue
      result.add(prerequisite)
      pending.push(prerequisite)
    }
  }
  return result
}
