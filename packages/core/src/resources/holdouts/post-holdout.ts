import { type Environment, environments } from '../../models/environments/environment.ts'
import type { ExperimentMetric } from '../../models/experiments/iteration.ts'
import { holdouts } from '../../models/holdouts/holdout.ts'
import { type Segment, segments } from '../../models/segments/segment.ts'
import type { Host } from '../../operation/context.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { validateReferences } from '../../operation/references.ts'
import { wholeWeight } from '../../rules/targeting/serve.ts'
import { validateMetrics } from '../experiments/metric-definitions.ts'
import { randomizationUnitsOf } from '../experiments/new-iteration.ts'
import { memberReference } from '../members/member-reference.ts'
import { emptyTargetLists } from '../segments/target-lists.ts'
import { holdoutRequest, holdoutResponse, serializeHoldout } from './holdout-schema.ts'

export const postHoldout = createOperation(holdouts, {
  id: 'postHoldout',
  summary: 'Create a holdout, and the segment of its contexts',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/holdouts',
  beta: 'tagged',
  access: { action: 'createHoldout', resource: 'proj/{projectKey}:env/{environmentKey}:holdout/{body.key}' },
  within: environments,
  body: holdoutRequest,
  async make(context, body, params, environment) {
    const { tx, fail, caller } = context
    const { key, name, description, attributes, metrics, primarymetrickey } = body
    const units = await randomizationUnitsOf(tx, params.projectKey)
    const { randomizationunit: randomizationUnit = units.defaultUnit, maintainerId = caller.memberId } = body
    const primary = metrics.find((metric) => metric.key === primarymetrickey)
    const errors = [
      ...(await validateReferences(
        tx,
        body.maintainerId === undefined ? [] : [memberReference('maintainerId', body.maintainerId)],
      )),
      ...(await validateMetrics(tx, params.projectKey, metrics)),
      ...(units.allowed.includes(randomizationUnit)
        ? []
        : [{ attribute: 'randomizationunit', reason: `must be one of ${units.allowed.join(', ')}` }]),
      ...(primary ? [] : [{ attribute: 'primarymetrickey', reason: 'must be the key of one of the metrics' }]),
    ]
    if (errors.length > 0 || !primary) return fail('invalid_request', { errors })
    const host = context.useHost()
    const now = context.readClock()
    const segmentKey = `holdout-${key}`.slice(0, 256)
    const segmentKeys = { ...params, segmentKey }
    // The handler demands both actions, so that the change log names both.
    await context.demand('createHoldout', holdouts, { ...params, holdoutKey: key })
    await context.demand('createSegment', segments, segmentKeys)
    const segment = segmentOf(host, now, environment, {
      key: segmentKey,
      name: `Holdout ${name}`.slice(0, 256),
      randomizationUnit,
      percent: body.holdoutamount,
    })
    tx.insert(segments, segmentKeys, segment, () =>
      fail('optimistic_locking_error', { message: `There is a segment ${segmentKey} already` }),
    )
    return {
      id: host.newId(),
      key,
      environmentKey: params.environmentKey,
      name,
      description,
      ...(maintainerId === undefined ? {} : { maintainerId }),
      randomizationUnit,
      attributes,
      holdoutAmount: body.holdoutamount,
      metrics: withPrimaryFirst(metrics, primary),
      segmentKey,
      createdAt: now,
      updatedAt: now,
    }
  },
  undo: { create: undefined },
  response: holdoutResponse,
  serialize: serializeHoldout,
})

/** The contexts of a holdout. */
interface HoldoutSegment {
  readonly key: string
  readonly name: string
  /** Kind of the contexts. */
  readonly randomizationUnit: string
  readonly percent: number
}

/** Returns the segment with the contexts of a holdout: a percentage of all contexts of its kind. */
function segmentOf(
  host: Host,
  now: number,
  environment: Environment,
  { key, name, randomizationUnit, percent }: HoldoutSegment,
): Omit<Segment, 'version'> {
  const weight = Math.round((percent * wholeWeight) / 100)
  return {
    ...emptyTargetLists,
    id: host.randomHex(12),
    environmentId: environment.id,
    key,
    name,
    tags: [],
    rules: [{ _id: host.newId(), clauses: [], weight, rolloutContextKind: randomizationUnit }],
    unbounded: false,
    generation: 1,
    holds: 0,
    createdAt: now,
    lastModified: now,
  }
}

function withPrimaryFirst(metrics: readonly ExperimentMetric[], primary: ExperimentMetric): ExperimentMetric[] {
  return [primary, ...metrics.filter((metric) => metric !== primary)].map(({ key, isGroup }) => ({ key, isGroup }))
}
