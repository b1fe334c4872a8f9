import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { commaList, expand } from '../../operation/schema.ts'
import { type CountChart, staleFlagsChart, staleGroups } from '../../rules/insight-charts/index.ts'
import type { Condition } from '../../storage/port.ts'
import { axisOf, chartQuery, oneOf } from './chart-query-response.ts'
import { serializeCountChart, serializeMetric, staleFlagsResponse } from './count-chart-response.ts'
import { readFlagHistories } from './read-flag-histories.ts'

export const getStaleFlagsChart = operation({
  id: 'getStaleFlagsChart',
  summary: 'Get a chart of the number of stale feature flags: temporary flags that are no longer needed',
  method: 'GET',
  path: '/api/v2/engineering-insights/charts/flags/stale',
  beta: 'tagged',
  query: v.object({
    ...chartQuery,
    maintainerId: v.optional(commaList(), []),
    maintainerTeamKey: v.optional(commaList(), []),
    groupBy: v.optional(oneOf(staleGroups)),
    expand: expand('metrics'),
  }),
  success: { status: 200, body: staleFlagsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{query.projectKey}' },
  async handle(context, { query }) {
    const axis = axisOf(context, query)
    const conditions = [{ op: 'equals', field: 'temporary', value: true } as const, ...ofMaintainers(query)]
    const flags = (await readFlagHistories(context, query, axis, conditions)) ?? context.fail('not_found')
    const chart = staleFlagsChart(flags, { ...axis, groupBy: query.groupBy }, context.readClock())
    return serializeCountChart('staleFlags', chart, query.expand.includes('metrics') ? metricOf(chart) : {})
  },
})

interface Maintainers {
  readonly maintainerId: readonly string[]
  readonly maintainerTeamKey: readonly string[]
}

/** Returns a condition for flags of these members or teams; an empty list when the query names no maintainer. */
function ofMaintainers({ maintainerId, maintainerTeamKey }: Maintainers): Condition[] {
  const alternatives: Condition[] = [
    ...(maintainerId.length > 0 ? [{ op: 'anyOf', field: 'maintainerId', values: maintainerId } as const] : []),
    ...(maintainerTeamKey.length > 0
      ? [{ op: 'anyOf', field: 'maintainerTeamKey', values: maintainerTeamKey } as const]
      : []),
  ]
  return alternatives.length > 0 ? [{ op: 'or', any: alternatives }] : []
}

/** Returns the metric of the chart. Its indicator is `notCalculated` when there are no temporary flags. */
function metricOf({ summary: { share = 0, temporary = 0 } }: CountChart) {
  return serializeMetric('flagHealth', {
    value: share,
    unit: 'share',
    modifier: 'of temporary flags',
    hasData: temporary > 0,
  })
}
