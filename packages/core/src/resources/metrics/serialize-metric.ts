import type * as v from 'valibot'
import { measurements } from '../../models/measurements/measurement.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { type Metric, type MetricKeys, metrics } from '../../models/metrics/metric.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { serializeMaintainer } from '../maintainers/maintainer-schema.ts'
import type { listedMetricResponse, metricResponse } from './metric-schema.ts'

/** Returns the path of a metric. */
export function metricPath({ projectKey, metricKey }: MetricKeys): string {
  return path`/api/v2/metrics/${projectKey}/${metricKey}`
}

/** Returns the id of the version of a metric, which changes with each change of it. */
export function metricVersionId({ id, version }: Pick<Metric, 'id' | 'version'>): string {
  return `${id}-${version}`
}

/** The response for a metric in a list. */
export async function serializeListedMetric(
  context: ReadContext,
  metric: Metric,
  { projectKey }: Pick<MetricKeys, 'projectKey'>,
): Promise<v.InferOutput<typeof listedMetricResponse>> {
  const { id, version, createdAt, updatedAt, ...properties } = metric
  const keys = { projectKey, metricKey: metric.key }
  const [maintainer, _access] = await Promise.all([
    serializeMaintainer(context, metric),
    context.access(metrics, keys, metric),
  ])
  return {
    ...properties,
    _id: id,
    _versionId: metricVersionId(metric),
    _version: version,
    _creationDate: context.format.time(createdAt),
    lastModified: { date: context.format.time(updatedAt) },
    ...maintainer,
    _links: selfAndParent(metricPath(keys), path`/api/v2/metrics/${projectKey}`),
    _access,
  }
}

/** Maximum number of metric groups that are read, which is more than any metric is in. */
const maxGroups = 1000

/** The response for one metric, with the resources that use it. */
export async function serializeMetric(
  context: ReadContext,
  metric: Metric,
  keys: Pick<MetricKeys, 'projectKey'>,
): Promise<v.InferOutput<typeof metricResponse>> {
  const { tx } = context
  const { projectKey } = keys
  const using = { op: 'equals', field: 'metricKeys', value: metric.key } as const
  const running = { op: 'exists', field: 'endedAt', value: false } as const
  const [listed, groups, active] = await Promise.all([
    serializeListedMetric(context, metric, keys),
    tx.list(metricGroups, { projectKey }, { where: [using], limit: maxGroups }),
    tx.listRows(measurements, { projectKey }, { where: [using, running], limit: 1, deep: true }),
  ])
  return {
    ...listed,
    isActive: active.items.length > 0,
    metricGroupCount: groups.total,
    metricGroups: groups.items.map(({ key, name, kind }) => ({
      key,
      name,
      kind,
      _links: { self: linkTo(path`/api/v2/projects/${projectKey}/metric-groups/${key}`) },
    })),
  }
}
