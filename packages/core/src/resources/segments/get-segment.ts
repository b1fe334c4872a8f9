import { segments } from '../../models/segments/segment.ts'
import { operation } from '../../operation/operation.ts'
import { loadTargetingFlags } from './load-targeting-flags.ts'
import { revisionAt } from './segment-at.ts'
import { segmentResponse, serializeSegment } from './segment-schema.ts'

export const getSegment = operation({
  id: 'getSegment',
  summary: 'Get a segment with the flags that target it',
  method: 'GET',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  success: { status: 200, body: segmentResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}', masked: true },
  async handle(context, { params }) {
    const [segment, targetingFlags] = await Promise.all([
      context.tx.get(segments, params),
      loadTargetingFlags(context, params),
    ])
    if (!segment) return context.fail('not_found')
    // The names of flags and the keys of a big segment can change without a change of the document.
    context.setRevision(revisionAt(segment, context), segment.holds > 0 || segment.unbounded)
    return serializeSegment(context, params, segment, targetingFlags)
  },
})
