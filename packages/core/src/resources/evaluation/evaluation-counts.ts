import type { Ruleset } from '../../rules/evaluation/index.ts'
import type { SummarisedEvaluation } from '../../rules/sdk-protocol/summarised-evaluations.ts'

/** Counts the evaluations of the flags of an environment, until `take` returns the counts. */
export interface EvaluationCounts {
  /** Counts one evaluation. It costs one map look-up, because every evaluation calls it. */
  add(flagKey: string, variationIndex: number | null): void
  /**
   * Returns the counts since the last call. Prerequisites of the counted flags are included with a count of 0, because
   * they are in use.
   *
   * @param time time of all the evaluations, because single times are not stored: integer ms, UTC.
   */
  take(ruleset: Ruleset, at: number): SummarisedEvaluation[]
}

/** Makes empty counts. */
export function evaluationCounts(): EvaluationCounts {
  /** Counts by the index of the variation plus one. Index 0 counts the evaluations with the caller's default. */
  let byFlag = new Map<string, number[]>()
  return {
    add(flagKey, variationIndex) {
      let counts = byFlag.get(flagKey)
      if (!counts) {
        counts = []
        byFlag.set(flagKey, counts)
      }
      const place = variationIndex === null ? 0 : variationIndex + 1
      counts[place] = (counts[place] ?? 0) + 1
    },
    take(ruleset, at) {
      const taken = [...byFlag].filter(([flagKey]) => ruleset.flags.get(flagKey))
      byFlag = new Map()
      const counted = taken.flatMap(([flagKey, counts]) =>
        [...counts.entries()].flatMap(([place, count]) =>
          count ? [{ flagKey, variation: place === 0 ? null : place - 1, count, at }] : [],
        ),
      )
      const asked = new Set(taken.map(([flagKey]) => flagKey))
      const needed = [...standingBehind(ruleset, asked)].map((flagKey) => ({ flagKey, variation: null, count: 0, at }))
      return [...counted, ...needed]
    },
  }
}

/** Returns the direct and indirect prerequisites of the flags, without the flags themselves. */
function standingBehind(ruleset: Ruleset, flagKeys: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  const left = [...flagKeys]
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    const data = ruleset.flags.get(key)?.data
    for (const { key: needed } of (data?.on && data.prerequisites) || []) {
      if (found.has(needed) || flagKeys.has(needed) || !ruleset.flags.get(needed)) continue
      found.add(needed)
      left.push(needed)
    }
  }
  return found
}
