import type { Ruleset } from '../../rules/evaluation/index.ts'
import type { SummarizedEvaluation } from '../../rules/sdk-protocol/sdk-events.ts'

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
  take(ruleset: Ruleset, time: number): SummarizedEvaluation[]
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
      const index = variationIndex === null ? 0 : variationIndex + 1
      counts[index] = (counts[index] ?? 0) + 1
    },
    take(ruleset, time) {
      const entries = [...byFlag].filter(([flagKey]) => ruleset.flags.get(flagKey))
      byFlag = new Map()
      const evaluations = entries.flatMap(([flagKey, counts]) =>
        [...counts.entries()].flatMap(([index, count]) =>
          count ? [{ flagKey, variation: index === 0 ? null : index - 1, count, at: time }] : [],
        ),
      )
      const evaluatedKeys = new Set(entries.map(([flagKey]) => flagKey))
      const prerequisites = [...prerequisitesOf(ruleset, evaluatedKeys)].map((flagKey) => ({
        flagKey,
        variation: null,
        count: 0,
        at: time,
      }))
      return [...evaluations, ...prerequisites]
    },
  }
}

/** Returns the direct and indirect prerequisites of the flags, without the flags themselves. */
function prerequisitesOf(ruleset: Ruleset, flagKeys: ReadonlySet<string>): Set<string> {
  const result = new Set<string>()
  const pending = [...flagKeys]
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const data = ruleset.flags.get(key)?.data
    for (const { key: prerequisites } of (data?.on && data.prerequisites) || []) {
      if (result.has(prerequisites) || flagKeys.has(prerequisites) || !ruleset.flags.get(prerequisites)) continue
      result.add(prerequisites)
      pending.push(prerequisites)
    }
  }
  return result
}
