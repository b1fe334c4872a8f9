import { environments } from '../../models/environments/environment.ts'
import { holdouts } from '../../models/holdouts/holdout.ts'
import { segments } from '../../models/segments/segment.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { validateReferences } from '../../operation/references.ts'
import { validateMetrics } from '../experiments/metric-definitions.ts'
import { unitsOf } from '../experiments/new-iteration.ts'
import { memberReference } from '../members/member-reference.ts'
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
    const units = await unitsOf(tx, params.projectKey)
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
    await context.demand('createSegment', segments, segmentKeys)
    const segment = {
      id: host.randomHex(12),
      environmentId: environment.id,
      key: segmentKey,
      name: `Holdout ${name}`.slice(0, 256),
      tags: [],
      included: [],
      excluded: [],
      includedContexts: [],
      excludedContexts: [],
      rules: [
        {
          _id: host.newId(),
          clauses: [],
          weight: Math.round(body.holdoutamount * 1000),
          rolloutContextKind: randomizationUnit,
        },
      ],
      unbounded: false,
      generation: 1,
      holds: 0,
      createdAt: now,
      lastModified: now,
    }
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
      metrics: [primary, ...metrics.filter((metric) => metric !== primary)].map((metric) => ({
        key: metric.key,
        isGroup: metric.isGroup,
      })),
      segmentKey,
      createdAt: now,
      updatedAt: now,
    }
  },
  undo: { create: undefined },
  response: holdoutResponse,
  serialize: serializeHoldout,
})
