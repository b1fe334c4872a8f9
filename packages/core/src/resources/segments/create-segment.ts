import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { segments } from '../../models/segments/segment.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { key } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { contextKind } from '../targeting/clause-schema.ts'
import { emptyBigSegment } from './big/big-segment.ts'
import { validateSyncSettings } from './changes/validate-segment.ts'
import { segmentResponse, segmentSettings, serializeSegment } from './segment-schema.ts'
import { emptyTargetLists } from './target-lists.ts'

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
    v.check((body) => body.unbounded || body.unboundedContextKind === undefined, 'is allowed for big segments only'),
    ['unboundedContextKind'],
  ),
)

export const createSegment = createOperation(segments, {
  id: 'createSegment',
  summary: 'Create a segment',
  path: '/api/v2/segments/{projectKey}/{environmentKey}',
  access: { action: 'createSegment', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{body.key}' },
  within: environments,
  body: createRequest,
  async make(context, body, params, environment) {
    const { fail } = context
    const host = context.useHost()
    const now = context.readClock()
    const { unbounded, unboundedContextKind = userKind, ...settings } = body
    const keys = { ...params, segmentKey: body.key }
    const size = unbounded
      ? await emptyBigSegment(context, keys, { contextKind: unboundedContextKind, grown: false })
      : { ...emptyTargetLists, unbounded, generation: 1 }
    const errors = validateSyncSettings(body)
    if (errors.length > 0) fail('invalid_request', { errors })
    return {
      ...settings,
      ...size,
      id: host.randomHex(12),
      environmentId: environment.id,
      rules: [],
      holds: 0,
      createdAt: now,
      lastModified: now,
    }
  },
  response: segmentResponse,
  serialize: (context, segment, keys) => serializeSegment(context, keys, segment),
})
