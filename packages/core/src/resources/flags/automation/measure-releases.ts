import type { AutomatedRelease, JudgedMetric } from '../../../models/flags/automated-release.ts'
import type { Flag } from '../../../models/flags/flag.ts'
import type { ConfigKeys } from '../../../models/flags/flag-config.ts'
import { endMeasurement, startMeasurement } from '../../../models/measurements/write-measurement.ts'
import { metricGroups } from '../../../models/metric-groups/metric-group.ts'
import { type Metric, metrics } from '../../../models/metrics/metric.ts'
import { metricDefinition } from '../../../models/metrics/metric-definition.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { fail } from '../../../operation/errors.ts'
import { fallthroughId } from '../../../rules/migration-safety/cohorts.ts'
import { isActive } from '../../../rules/release/automation.ts'
import type { Writer } from '../../../storage/writer.ts'

/** A flag, and the environment in which it is released. */
export interface ReleasingFlag {
  readonly keys: ConfigKeys
  readonly flag: Flag
}

/**
 * Starts and ends the measurements of guarded releases in the commit that changes their stages.
 *
 * @param before the releases before the change.
 * @returns the releases, with the metrics by which they are judged.
 * @throws ApiError `invalid_request` when a release that starts names a metric or a group that does not exist.
 */
export async function measureReleases(
  context: Pick<WriteContext, 'tx' | 'useHost'>,
  { keys, flag }: ReleasingFlag,
  { before, after }: { readonly before: readonly AutomatedRelease[]; readonly after: readonly AutomatedRelease[] },
  now: number,
): Promise<readonly AutomatedRelease[]> {
  const earlier = new Map(before.filter(isActive).map((release) => [release.id, release]))
  const measured: AutomatedRelease[] = []
  for (const release of after) {
    const previous = earlier.get(release.id)
    const isSame = isActive(release) ? previous?.stage === release.stage : !previous
    if (!release.guard || isSame) {
      measured.push(release)
      continue
    }
    const { measurementId } = previous?.guard ?? {}
    if (measurementId !== undefined) await endMeasurement(context.tx, keys, { measurementId, endedAt: now })
    measured.push(isActive(release) ? await startStage(context, { keys, flag }, release, now) : release)
  }
  return measured
}

async function startStage(
  context: Pick<WriteContext, 'tx' | 'useHost'>,
  { keys, flag }: ReleasingFlag,
  release: AutomatedRelease,
  now: number,
) {
  const { guard, originalVariationId, targetVariationId, randomizationUnit, ruleId } = release
  if (!guard || guard.metrics.length === 0) return release
  const { tx } = context
  const metrics = await judgedMetrics(tx, keys, guard.metrics)
  const host = context.useHost()
  const measurementId = host.newId()
  const variationOf = (id: string) => ({ id, index: flag.variations.findIndex(({ _id }) => _id === id) })
  startMeasurement(tx, keys, {
    // A release that is restored measures its stage again.
    id: measurementId,
    kind: 'guarded-release',
    flagKind: 'flag',
    flagKey: keys.flagKey,
    randomizationUnit,
    metrics: metrics.map(({ metric }) => metricDefinition(metric)),
    variations: [variationOf(originalVariationId), variationOf(targetVariationId)],
    places: [ruleId ?? fallthroughId],
    startedAt: now,
  })
  const judged = metrics.map(({ key, rollsBack }) => ({ key, rollsBack }))
  return { ...release, guard: { ...guard, measurementId, judged } }
}

interface FoundMetric extends JudgedMetric {
  readonly metric: Metric
}

async function judgedMetrics(
  tx: Writer,
  { projectKey }: ConfigKeys,
  named: NonNullable<AutomatedRelease['guard']>['metrics'],
): Promise<FoundMetric[]> {
  const lists = await Promise.all(
    named.map(async ({ key, isGroup, rollsBack }) => {
      if (!isGroup) return [{ key, rollsBack }]
      const group = await tx.get(metricGroups, { projectKey, metricGroupKey: key })
      return group ? group.metrics.map((metric) => ({ key: metric.key, rollsBack })) : refuse(`the metric group ${key}`)
    }),
  )
  const byKey = new Map<string, JudgedMetric>()
  for (const { key, rollsBack } of lists.flat()) {
    byKey.set(key, { key, rollsBack: rollsBack || (byKey.get(key)?.rollsBack ?? false) })
  }
  return Promise.all(
    [...byKey.values()].map(async (judged) => {
      const metric = await tx.get(metrics, { projectKey, metricKey: judged.key })
      return metric ? { ...judged, metric } : refuse(`the metric ${judged.key}`)
    }),
  )
}

function refuse(missing: string): never {
  const reason = `must exist in the project: a guarded release compares ${missing}`
  return fail('invalid_request', { errors: [{ attribute: 'metrics', reason }] })
}
