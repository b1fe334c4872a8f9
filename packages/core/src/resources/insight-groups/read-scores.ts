import type { ReadContext } from '../../operation/context.ts'
import {
  creationRatioInput,
  deploymentInputs,
  flagHealthInput,
  type InsightScores,
  insightScores,
  leadTimeInput,
  type ScoreInputs,
  scorePeriods,
} from '../../rules/insight-score/index.ts'
import { readSources, type ScoreSources } from './score-sources.ts'
import { distinctPlaces, type ScoredPlace } from './scored-place.ts'

/**
 * Computes the scores of some scopes, in their order (D26), with two database queries for any number of scopes. Shared
 * data is read once, and equal scopes are computed once.
 */
export async function readScores(
  context: Pick<ReadContext, 'tx' | 'readClock'>,
  places: readonly ScoredPlace[],
): Promise<InsightScores[]> {
  const now = context.readClock()
  const { period, lastPeriod } = scorePeriods(now)
  const periods = [period, lastPeriod] as const
  const distinct = distinctPlaces(places)
  const sources = await readSources(context, distinct.places, {
    startTime: lastPeriod.startTime,
    endTime: period.endTime,
  })
  const flagInputs = new Map<ScoreSources['flags'], ReturnType<typeof flagInputsOf>[]>()
  const scores = sources.map((source, at) => {
    const known = flagInputs.get(source.flags) ?? periods.map((one) => flagInputsOf(source.flags, one))
    flagInputs.set(source.flags, known)
    const { applicationKeys } = distinct.places[at]!
    const [current, last] = periods.map(
      (one, i): ScoreInputs => ({ ...withoutSource, ...known[i]!, ...deliveryInputsOf(source, one, applicationKeys) }),
    )
    return insightScores(current!, last!)
  })
  return distinct.at.map((at) => scores[at]!)
}

type Period = ReturnType<typeof scorePeriods>['period']

/** No data source reports yet how many contexts a flag change affected, or which changes were part of an experiment. */
const withoutSource = { impactSize: 'unknown', experimentationCoverage: 'unknown' } as const

const neverDeployed = { deploymentFrequency: 'unknown', deploymentFailureRate: 'unknown' } as const

function flagInputsOf({ flags, histories }: ScoreSources['flags'], period: Period) {
  return {
    flagHealth: flagHealthInput(histories, period),
    creationRatio: creationRatioInput(flags, period),
  }
}

function deliveryInputsOf(
  { environment: { deployments, leadTimes }, connected }: ScoreSources,
  period: Period,
  applicationKeys: ScoredPlace['applicationKeys'],
) {
  return {
    ...(connected.deployments ? deploymentInputs(deployments, period, applicationKeys) : neverDeployed),
    leadTime: connected.leadTimes ? leadTimeInput(leadTimes, period, applicationKeys) : ('unknown' as const),
  }
}
