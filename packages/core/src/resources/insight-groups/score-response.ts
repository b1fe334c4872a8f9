import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { list, timestamp } from '../../operation/schema.ts'
import { type ScorePeriod, scorePeriods } from '../../rules/insight-score/index.ts'

export const indicators = ['excellent', 'good', 'fair', 'needsAttention', 'notCalculated', 'unknown'] as const

const ratingEntries = {
  score: v.number(),
  indicator: v.picklist(indicators),
  indicatorRange: v.object({ min: v.number(), max: v.number() }),
}

const score = v.object({
  ...ratingEntries,
  aggregateOf: v.optional(list(v.string())),
  diffVsLastPeriod: v.optional(v.number()),
  lastPeriod: v.object(ratingEntries),
})

/** "Scores" of the specification. */
export const scoresResponse = v.object({
  overall: score,
  deploymentFrequency: score,
  deploymentFailureRate: score,
  leadTime: score,
  impactSize: score,
  experimentationCoverage: score,
  flagHealth: score,
  velocity: score,
  risk: score,
  efficiency: score,
  creationRatio: score,
})

const period = v.object({ startTime: timestamp(), endTime: timestamp() })

/** "Score metadata" of the specification. */

export const scoreMetadataResponse = v.object({ period, lastPeriod: period })

/** Serializes the periods of scores that are computed now. */
export function serializeScoreMetadata(
  context: Pick<ReadContext, 'format' | 'readClock'>,
): v.InferOutput<typeof scoreMetadataResponse> {
  const {
    format: { time },
  } = context
  const now = context.readClock()
  const serializePeriod = ({ startTime, endTime }: ScorePeriod) => ({
    startTime: time(startTime),
    endTime: time(endTime),
  })
  const { period, lastPeriod } = scorePeriods(now)
  return { period: serializePeriod(period), lastPeriod: serializePeriod(lastPeriod) }
}
