import type { Ruleset } from '../../rules/evaluation/index.ts'
import type { SummarisedEvaluation } from '../../rules/sdk-protocol/summarised-evaluations.ts'

/** How often flags of an environment were evaluated, until somebody takes the counts. */
export interface EvaluationCounts {
  /** Counts one evaluation. Costs a look-up: it is done at each. */
  add(flagKey: string, variationIndex: number | null): void
  /**
   * Gives what was counted since it was taken the last time. Flags that those stand on come with a count of 0: they were
   * needed, so they are in use.
   *
   * @param at for all of it, as the moments of evaluations are not kept: integer ms, UTC.
   */
  take(ruleset: Ruleset, at: number): SummarisedEvaluation[]
}

/** Makes counts of nothing. */
export function evaluationCounts(): EvaluationCounts {
  /** By the index of the variation and one; those that came to the caller's default stand first. */
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

/** The flags that some have as prerequisites, themselves or by way of others, besides those flags. */
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
