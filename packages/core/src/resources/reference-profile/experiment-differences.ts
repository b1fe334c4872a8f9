import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import type { ReshapeBody, ReshapedCall } from '../../operation/response-profile.ts'
import { metricVersionId } from '../metrics/serialize-metric.ts'
import { at, inOrder, type Reshape, valuesAt, withDefaults } from './reshape.ts'

/** Paths of the metrics of an iteration, each with the kind that is used when the metric was deleted. */
const metricPaths = {
  primaryMetric: 'custom',
  primarySingleMetric: 'custom',
  primaryFunnel: 'funnel',
  'secondaryMetrics.*': 'custom',
  'metrics.*': 'custom',
} as const

/** A host can create an experiment without a maintainer. */
const maintained = withDefaults({ _maintainerId: '' })

export const holdout = at('baseExperiment', maintained)

/**
 * Adds name, kind and version to the metrics of iterations, which responses name by key.
 *
 * @param paths paths of the iterations.
 */
export function withMetricDetailsAt(...paths: readonly string[]): ReshapeBody {
  const namedMetrics = paths.flatMap((path) =>
    Object.entries(metricPaths).map(([name, kind]) => ({ path: path === '' ? name : `${path}.${name}`, kind })),
  )
  return async (body, call) => {
    const references = namedMetrics.flatMap(({ path }) => valuesAt(path, body) as MetricReference[])
    const descriptionOf = await readMetrics(call, references)
    const describe = (kind: string): Reshape =>
      withDefaults(({ key, isGroup }) => ({ _versionId: '', name: key, kind, ...descriptionOf({ key, isGroup }) }))
    return inOrder(...namedMetrics.map(({ path, kind }) => at(path, describe(kind))))(body)
  }
}

/**
 * Adds the properties of experiments that the types of the clients require.
 *
 * @param path path of the experiments; empty for the body itself.
 */
export function withExperimentDetailsAt(path: string): ReshapeBody {
  const prefix = path === '' ? '' : `${path}.`
  const withMetricDetails = withMetricDetailsAt(
    `${prefix}currentIteration`,
    `${prefix}draftIteration`,
    `${prefix}previousIterations.*`,
  )
  const withMaintainer = path === '' ? maintained : at(path, maintained)
  return async (body, call) => withMaintainer(await withMetricDetails(body, call))
}

interface MetricReference {
  readonly key?: unknown
  readonly isGroup?: unknown
}

/**
 * Reads the metrics and the metric groups that a response names by key. Deleted metrics and groups are missing in the
 * result.
 */
async function readMetrics({ tx, params: { projectKey = '' } }: ReshapedCall, references: readonly MetricReference[]) {
  const keysOf = (group: boolean) => [
    ...new Set(references.filter(({ isGroup }) => (isGroup === true) === group).map(({ key }) => String(key))),
  ]
  const [single, groups] = await Promise.all([
    tx.getMany(
      metrics,
      keysOf(false).map((metricKey) => ({ projectKey, metricKey })),
    ),
    tx.getMany(
      metricGroups,
      keysOf(true).map((metricGroupKey) => ({ projectKey, metricGroupKey })),
    ),
  ])
  const metricByKey = new Map(single.flatMap((metric) => (metric ? [[metric.key, metric]] : [])))
  const groupByKey = new Map(groups.flatMap((group) => (group ? [[group.key, group]] : [])))
  return ({ key, isGroup }: MetricReference) => {
    const metric = (isGroup === true ? groupByKey : metricByKey).get(String(key))
    return metric && { _versionId: metricVersionId(metric), name: metric.name, kind: metric.kind }
  }
}
