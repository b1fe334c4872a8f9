import type { BoundApi } from '@halyard/core'
import type { ExperimentChart, LiftInterval, MetricLifts, ReleaseChart, StageState } from './interval-chart.ts'

type Analysis = Awaited<ReturnType<BoundApi['getExperimentAnalysis']>>
type Release = Awaited<ReturnType<BoundApi['getAutomatedRelease']>>
type ReleaseMetric = Awaited<ReturnType<BoundApi['getAutomatedReleaseResults']>>['metrics'][number]

/** Time from the start of a UTC day to its end, in ms. */
const endOfDay = 86_399_999

/**
 * Arranges the results of an experiment or a holdout for `experimentSvg`: an interval for each metric and treatment,
 * and the cumulative difference of the first metric over time.
 *
 * @param results the results of the operation. `days` are those that it returns with `expand=days`. Default: no
 *   differences over time.
 */
export function experimentChart({ metrics, days = [] }: Pick<Analysis, 'metrics' | 'days'>): ExperimentChart {
  const [primary] = metrics
  const series = (primary?.treatments ?? []).flatMap(({ treatmentId, treatmentName, baseline }) => {
    const points = days.flatMap(({ date, metrics: atDay }) => {
      const treatment = atDay[0]?.treatments.find((other) => other.treatmentId === treatmentId)
      const lift = treatment?.comparison?.relativeDifference
      return lift ? [{ time: Date.parse(date) + endOfDay, ...lift }] : []
    })
    return baseline || points.length === 0 ? [] : [{ variation: treatmentName, points }]
  })
  return {
    metrics: metrics.map(({ name, treatments }) => ({
      metric: name,
      variations: treatments.flatMap(({ treatmentName, comparison }) =>
        comparison?.relativeDifference
          ? [{ variation: treatmentName, verdict: comparison.verdict, ...comparison.relativeDifference }]
          : [],
      ),
    })),
    ...(primary && series.length > 0 ? { overTime: { metric: primary.name, series } } : {}),
  }
}

/**
 * Arranges an automated release for `releaseSvg`: its stages, and an interval for each metric. Stages after the next
 * step are drawn as planned.
 *
 * @param metrics the metrics of a guarded release; empty for others.
 * @param now end of the stage of a release that has not ended: integer ms, UTC.
 */
export function releaseChart(release: Release, metrics: readonly ReleaseMetric[], now: number): ReleaseChart {
  return { stages: stagesOf(release, now), metrics: releaseLifts(metrics) }
}

/** States of the stage that a release reached last, by the status of the release. */
const latestStates: Readonly<Record<Release['status'], StageState>> = {
  running: 'current',
  held: 'held',
  completed: 'completed',
  rolledBack: 'rolled-back',
  stopped: 'stopped',
}

function stagesOf(release: Release, now: number): ReleaseChart['stages'] {
  const { passedStages = [], stages, latestStageIndex, stageStartedAt, endedAt = now, nextStepAt, status } = release
  const shareOf = (index: number) => (stages[index]?.allocation ?? 100_000) / 100_000
  return [
    ...passedStages.map(({ stageIndex, startedAt: start, endedAt: end }) => ({
      share: shareOf(stageIndex),
      startedAt: Number(start),
      endedAt: Number(end),
      state: 'completed' as const,
    })),
    {
      share: shareOf(latestStageIndex),
      startedAt: Number(stageStartedAt),
      endedAt: Number(endedAt),
      ...(nextStepAt === undefined ? {} : { plannedUntil: Number(nextStepAt) }),
      state: latestStates[status],
    },
    ...(nextStepAt === undefined ? [] : plannedStages(stages.slice(latestStageIndex + 1), Number(nextStepAt))),
  ]
}

/**
 * Returns the stages that follow the next step. Each starts when the whole duration of the previous stage has passed.
 */
function plannedStages(stages: Release['stages'], from: number): ReleaseChart['stages'] {
  let startedAt = from
  return stages.map(({ allocation, durationMillis }) => {
    const endedAt = startedAt + durationMillis
    const stage = { share: allocation / 100_000, startedAt, endedAt, state: 'planned' as const }
    startedAt = endedAt
    return stage
  })
}

function releaseLifts(metrics: readonly ReleaseMetric[]): MetricLifts[] {
  return metrics.flatMap((metric) =>
    metric.relativeDifference
      ? [
          {
            metric: metric.name,
            variations: [{ variation: 'target', ...metric.relativeDifference, verdict: verdictOf(metric) }],
          },
        ]
      : [],
  )
}

function verdictOf({ successCriteria, verdict, difference }: ReleaseMetric): 'better' | 'worse' | 'inconclusive' {
  if (verdict === 'regression') return 'worse'
  const isBetter = ({ lower, upper }: LiftInterval) =>
    successCriteria === 'HigherThanBaseline' ? lower > 0 : upper < 0
  return difference && isBetter(difference) ? 'better' : 'inconclusive'
}
