import * as v from 'valibot'
import { type AIMetricSums, totalSums } from '../../rules/ai-metrics/ai-metric-sums.ts'
import type { PricedSums } from './token-prices.ts'

export const aiMetricsResponse = v.object({
  inputTokens: v.number(),
  outputTokens: v.number(),
  totalTokens: v.number(),
  generationCount: v.number(),
  generationSuccessCount: v.number(),
  generationErrorCount: v.number(),
  thumbsUp: v.number(),
  thumbsDown: v.number(),
  durationMs: v.number(),
  averageDurationMs: v.optional(v.number()),
  timeToFirstTokenMs: v.number(),
  averageTimeToFirstTokenMs: v.optional(v.number()),
  satisfactionRating: v.optional(v.number()),
  inputCost: v.optional(v.number()),
  outputCost: v.optional(v.number()),
  judgeAccuracy: v.optional(v.number()),
  judgeRelevance: v.optional(v.number()),
  judgeToxicity: v.optional(v.number()),
  judgeScores: v.record(v.string(), v.object({ average: v.number(), count: v.number() })),
})

/**
 * The response for sums of one or more variations. Averages without a measurement and costs without a price are left
 * out. Times are rounded to whole milliseconds.
 */
export function serializeAIMetrics(parts: readonly PricedSums[]) {
  const { sums, scores } = totalSums(parts)
  const { successes = 0, errors = 0, thumbsUp = 0, thumbsDown = 0, durationMs = 0, timeToFirstTokenMs = 0 } = sums
  const judgeScores = Object.fromEntries(
    Object.entries(scores).map(([metricKey, { sum, count }]) => [metricKey, { average: sum / count, count }]),
  )
  return {
    inputTokens: sums.inputTokens ?? 0,
    outputTokens: sums.outputTokens ?? 0,
    totalTokens: sums.totalTokens ?? 0,
    generationCount: successes + errors,
    generationSuccessCount: successes,
    generationErrorCount: errors,
    thumbsUp,
    thumbsDown,
    durationMs: Math.round(durationMs),
    averageDurationMs: roundedAverage(durationMs, sums.durations),
    timeToFirstTokenMs: Math.round(timeToFirstTokenMs),
    averageTimeToFirstTokenMs: roundedAverage(timeToFirstTokenMs, sums.firstTokens),
    satisfactionRating: satisfactionOf(parts),
    inputCost: inputCostOf(parts),
    outputCost: outputCostOf(parts),
    judgeAccuracy: judgeScores['$ld:ai:judge:accuracy']?.average,
    judgeRelevance: judgeScores['$ld:ai:judge:relevance']?.average,
    judgeToxicity: judgeScores['$ld:ai:judge:toxicity']?.average,
    judgeScores,
  }
}

/** Returns the fraction of positive feedback, 0 to 1; undefined without feedback. */
export function satisfactionOf(parts: readonly AIMetricSums[]): number | undefined {
  const { thumbsUp = 0, thumbsDown = 0 } = totalSums(parts).sums
  return thumbsUp + thumbsDown === 0 ? undefined : thumbsUp / (thumbsUp + thumbsDown)
}

/** Returns the cost of the tokens whose model has a price, in US dollars; undefined when no model has one. */
export function costOf(parts: readonly PricedSums[]): number | undefined {
  const [input, output] = [inputCostOf(parts), outputCostOf(parts)]
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0)
}

const inputCostOf = (parts: readonly PricedSums[]) =>
  costOfTokens(parts.map(({ sums, costPerInputToken }) => [sums.inputTokens, costPerInputToken]))

const outputCostOf = (parts: readonly PricedSums[]) =>
  costOfTokens(parts.map(({ sums, costPerOutputToken }) => [sums.outputTokens, costPerOutputToken]))

function costOfTokens(tokens: readonly (readonly [count: number | undefined, price: number | undefined])[]) {
  const priced = tokens.filter(([, price]) => price !== undefined)
  if (priced.length === 0) return undefined
  return priced.reduce((sum, [count = 0, price = 0]) => sum + count * price, 0)
}

function roundedAverage(sum: number, count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.round(sum / count)
}
