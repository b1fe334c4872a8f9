import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { key } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { environments } from '../environments/environment.ts'
import { contextKind } from '../targeting/clause-wire.ts'
import { emptyBigSegment } from './big-segment.ts'
import { segments } from './segment.ts'
import { syncFaults } from './segment-faults.ts'
import { presentSegment, segmentSettings, segmentWire } from './segment-wire.ts'
import { noTargets } from './target-lists.ts'

const { name, description, tags, _external, _externalLink } = segmentSettings.entries

const createRequest = v.pipe(
  v.strictObject({
    key: key(),
    name,
    description,
    tags: v.optional(tags, []),
    unbounded: v.optional(v.boolean(), false),
    unboundedContextKind: v.optional(contextKind()),
    _external,
    _externalLink,
  }),
  v.forward(
    v.check((body) => body.unbounded || body.unboundedContextKind === undefined, 'is for big segments only'),
    ['unboundedContextKind'],
  ),
)

export const createSegment = operation({
  id: 'createSegment',
  summary: 'Create a segment',
  method: 'POST',
  path: '/api/v2/segments/{projectKey}/{environmentKey}',
  body: jsonBody(createRequest),
  success: { status: 201, body: segmentWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createSegment', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{body.key}' },
  async handle(context, { params, body }) {
    const { tx, host, now, fail } = context
    const environment = (await tx.get(environments, params)) ?? fail('not_found')
    tx.expect(environments, params, environment)
    const { unbounded, unboundedContextKind = userKind, ...settings } = body
    const keys = { ...params, segmentKey: body.key }
    const size = unbounded
      ? await emptyBigSegment(tx, keys, unboundedContextKind, now)
      : { ...noTargets, unbounded, generation: 1 }
    const errors = syncFaults(body)
    if (errors.length > 0) fail('invalid_request', { errors })
    const made = {
      ...settings,
      ...size,
      id: host.randomHex(12),
      environmentId: environment.id,
      rules: [],
      holds: 0,
      createdAt: now,
      lastModified: now,
    }
    const segment = tx.insert(segments, keys, made, () =>
      fail('optimistic_locking_error', { message: `There is a segment ${body.key} already` }),
    )
    context.revision(segment.version)
    return presentSegment(context, keys, segment)
  },
})
