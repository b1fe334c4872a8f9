import * as v from 'valibot'
import { maxGroupedMetrics, metricGroupKinds } from '../../models/metric-groups/metric-group.ts'
import { metricKinds, unitAggregationTypes } from '../../models/metrics/metric.ts'
import { accessDetails, key, links, list, name, tags, text, timestamp } from '../../operation/schema.ts'
import { maintainerRequest } from '../maintainers/maintainer-schema.ts'
import { memberSummaryResponse } from '../members/member-schema.ts'

const kind = v.picklist(metricGroupKinds, `must be one of ${metricGroupKinds.join(', ')}`)

/** Properties of a group that a caller may set at creation and by a patch. */
export const metricGroupSettings = v.object({
  name: name(),
  description: text(),
  tags: tags(),
  metrics: v.pipe(
    list(v.strictObject({ key: key(), nameInGroup: v.optional(name()) })),
    v.minLength(1, 'must contain at least 1 metric'),
    v.maxLength(maxGroupedMetrics, `must contain at most ${maxGroupedMetrics} metrics`),
    v.check(
      (metrics) => new Set(metrics.map(({ key }) => key)).size === metrics.length,
      'must contain each metric once',
    ),
  ),
  ...maintainerRequest,
})

const { entries } = metricGroupSettings

export const metricGroupRequest = v.strictObject({
  ...entries,
  key: key(),
  kind,
  description: v.optional(entries.description, ''),
  tags: v.optional(entries.tags, []),
})

/** A metric in the response for a group. */
export const groupedMetricResponse = v.object({
  key: v.string(),
  _versionId: v.string(),
  name: v.string(),
  kind: v.picklist(metricKinds),
  isNumeric: v.boolean(),
  unitAggregationType: v.picklist(unitAggregationTypes),
  randomizationUnits: list(v.string()),
  nameInGroup: v.optional(v.string()),
  _links: links(),
})

const metricGroupObject = v.object({
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  kind,
  description: v.string(),
  tags: list(v.string()),
  _creationDate: timestamp(),
  _lastModified: timestamp(),
  _version: v.number(),
  /** Empty when the group has no maintainer, or when the maintainer was deleted. */
  maintainer: v.object({
    member: v.optional(memberSummaryResponse),
    team: v.optional(v.object({ _links: links(), key: v.string(), name: v.string() })),
  }),
  metrics: list(groupedMetricResponse),
  _links: links(),
  _access: v.optional(accessDetails()),
})

/** A metric group in a response. */
export interface MetricGroupResponse extends v.InferOutput<typeof metricGroupObject> {}

export const metricGroupResponse: v.GenericSchema<MetricGroupResponse> = metricGroupObject
