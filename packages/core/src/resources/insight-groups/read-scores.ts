import type { ReadContext } from '../../operation/context.ts'
import {
  creationRatioInput,
  deploymentInputs,
  experimentationCoverageInput,
  flagHealthInput,
  type InsightScores,
  impactSizeInput,
  insightScores,
  leadTimeInput,
  type ScoreInputs,
  scorePeriods,
} from '../../rules/insight-score/index.ts'
import { distinctScopes, type ScoreScope } from './score-scope.ts'
import { readSources, type ScoreSources } from './score-sources.ts'

/**
 * Computes the scores of some scopes, in their order (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores),
 * with two database queries for any number of scopes. Shared data is read once, and equal scopes are computed once.
 */
export async function readScores(
  context: Pick<ReadContext, 'tx' | 'readClock'>,
  scopes: readonly ScoreScope[],
): Promise<InsightScores[]> {
  const now = context.readClock()
  const { period, lastPeriod } = scorePeriods(now)
  const periods = [period, lastPeriod] as const
  const distinct = distinctScopes(scopes)
  const sources = await readSources(context, distinct.scopes, {
    startTime: lastPeriod.startTime,
    endTime: period.endTime,
  })
  const flagInputs = new Map<ScoreSources['flags'], ReturnType<typeof flagInputsOf>[]>()
  const scores = sources.map((source, index) => {
    const inputsOfPeriods =
      flagInputs.get(source.flags) ?? periods.map((scorePeriod) => flagInputsOf(source.flags, scorePeriod))
    flagInputs.set(source.flags, inputsOfPeriods)
    const { applicationKeys } = distinct.scopes[index]!
    const [current, previous] = periods.map(
      (scorePeriod, i): ScoreInputs => ({
        ...inputsOfPeriods[i]!,
        ...deliveryInputsOf(source, scorePeriod, applicationKeys),
      }),
    )
    return insightScores(current!, previous!)
  })
  return distinct.at.map((index) => scores[index]!)
}

type Period = ReturnType<typeof scorePeriods>['period']

const unknownDeploymentInputs = { deploymentFrequency: 'unknown', deploymentFailureRate: 'unknown' } as const

function flagInputsOf({ flags, histories, releases, iterations }: ScoreSources['flags'], period: Period) {
  return {
    flagHealth: flagHealthInput(histories, period),
    creationRatio: creationRatioInput(flags, period),
    experimentationCoverage: experimentationCoverageInput(releases, iterations, period),
    impactSize: impactSizeInput(iterations, period),
  }
}

function deliveryInputsOf(
  { environment: { deployments, leadTimes }, connected }: ScoreSources,
  period: Period,
  applicationKeys: ScoreScope['applicationKeys'],
) {
  return {
    ...(connected.deployments ? deploymentInputs(deployments, period, applicationKeys) : unknownDeploymentInputs),
    leadTime: connected.leadTimes ? leadTimeInput(leadTimes, period, applicationKeys) : ('unknown' as const),
  }
}
