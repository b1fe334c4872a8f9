import type { MetricGroup } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import type { Context } from '../../operation/context.ts'
import type { ValidationError } from '../../operation/errors.ts'
import type { Reader } from '../../storage/reader.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'

/**
 * Requires that the metrics of a group exist and fit its kind, and that its maintainer exists. The steps of a funnel
 * are conversions, and each has a name.
 *
 * @throws ApiError `invalid_request` naming each property.
 */
export async function requireValidMetricGroup(
  { tx, fail }: Pick<Context<Reader, 'invalid_request'>, 'tx' | 'fail'>,
  projectKey: string,
  { kind, metrics: grouped, maintainerId, maintainerTeamKey }: Omit<MetricGroup, 'version'>,
): Promise<void> {
  const [maintainerErrors, known] = await Promise.all([
    validateMaintainer(tx, {
      ...(maintainerId === undefined ? {} : { maintainerId }),
      ...(maintainerTeamKey === undefined ? {} : { maintainerTeamKey }),
    }),
    tx.getMany(
      metrics,
      grouped.map(({ key: metricKey }) => ({ projectKey, metricKey })),
    ),
  ])
  const errors: ValidationError[] = [...maintainerErrors]
  for (const [index, { nameInGroup }] of grouped.entries()) {
    const metric = known[index]
    const refuse = (property: string, reason: string) =>
      errors.push({ attribute: `metrics.${index}.${property}`, reason })
    if (!metric) refuse('key', 'must be the key of a metric of the project')
    else if (kind === 'funnel' && (metric.isNumeric || metric.unitAggregationType !== 'average'))
      refuse('key', 'must be the key of a metric that is not numeric and has the unit aggregation average')
    if (kind === 'funnel' && nameInGroup === undefined) refuse('nameInGroup', 'must be given for a step of a funnel')
  }
  if (errors.length > 0) fail('invalid_request', { errors })
}
