import type * as v from 'valibot'
import type { MaintainerReference } from '../../models/maintainers/maintainer.ts'
import { type GroupedMetric, type MetricGroup, metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { serializeMaintainer } from '../maintainers/maintainer-schema.ts'
import { metricPath, metricVersionId } from '../metrics/serialize-metric.ts'
import type { metricGroupResponse } from './metric-group-schema.ts'

type Response = v.InferOutput<typeof metricGroupResponse>

/** The response for one group, with its metrics. */
export async function serializeMetricGroup(
  context: ReadContext,
  group: MetricGroup,
  { projectKey }: { readonly projectKey: string },
): Promise<Response> {
  const { id, key, name, kind, description, tags, createdAt, updatedAt, version } = group
  const [maintainer, metricsOfGroup, _access] = await Promise.all([
    serializeGroupMaintainer(context, group),
    serializeGroupedMetrics(context, group.metrics, { projectKey }),
    context.access(metricGroups, { projectKey, metricGroupKey: key }, group),
  ])
  const parent = path`/api/v2/projects/${projectKey}/metric-groups`
  return {
    _id: id,
    key,
    name,
    kind,
    description,
    tags,
    _creationDate: context.format.time(createdAt),
    _lastModified: context.format.time(updatedAt),
    _version: version,
    maintainer,
    metrics: metricsOfGroup,
    _links: selfAndParent(`${parent}${path`/${key}`}`, parent),
    _access,
  }
}

/** The metrics of a group that exist, in the order of the group. */
export async function serializeGroupedMetrics(
  { tx }: Pick<ReadContext, 'tx'>,
  grouped: readonly GroupedMetric[],
  { projectKey }: { readonly projectKey: string },
): Promise<Response['metrics']> {
  const keys = grouped.map(({ key: metricKey }) => ({ projectKey, metricKey }))
  return (await tx.getMany(metrics, keys)).flatMap((metric, index) => {
    if (!metric) return []
    const { key: metricKey, name, kind, isNumeric, unitAggregationType, randomizationUnits } = metric
    const { nameInGroup } = grouped[index] ?? {}
    return {
      key: metricKey,
      _versionId: metricVersionId(metric),
      name,
      kind,
      isNumeric,
      unitAggregationType,
      randomizationUnits,
      ...(nameInGroup === undefined ? {} : { nameInGroup }),
      _links: { self: linkTo(metricPath({ projectKey, metricKey })) },
    }
  })
}

/** Returns the maintainer in the format of a group: under the property `member` or `team`, without a kind. */
async function serializeGroupMaintainer(
  context: ReadContext,
  group: MaintainerReference,
): Promise<Response['maintainer']> {
  const { _maintainer } = await serializeMaintainer(context, group)
  if (!_maintainer) return {}
  const { kind, ...rest } = _maintainer
  return { [kind]: rest }
}
