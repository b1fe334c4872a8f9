import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { bypassQuery } from '../environments/approval-pass-wire.ts'
import { environments } from '../environments/environment.ts'
import { rememberGeneration } from './big-segment.ts'
import { segmentActions } from './guarded-segment.ts'
import { segments } from './segment.ts'
import { targetingFlags } from './targeting-flags.ts'

/** Enough to show where to look. */
const mostNamed = 5

export const deleteSegment = operation({
  id: 'deleteSegment',
  summary: 'Delete a segment that no flag and no other segment refers to',
  method: 'DELETE',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  query: v.object(bypassQuery),
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: { action: 'deleteSegment', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const [found, place] = await Promise.all([tx.get(segments, params), tx.get(environments, params)])
    const segment = found ?? fail('not_found')
    const environment = place ?? fail('not_found')
    context.requireRevision(segment.version)
    const flagKeys = await tx.pageMembers(targetingFlags, params, { limit: mostNamed })
    if (flagKeys.length > 0) {
      fail('optimistic_locking_error', { message: `Flags refer to this segment: ${flagKeys.join(', ')}` })
    }
    const others = await tx.listRows(segments, params, {
      where: [{ op: 'equals', field: 'segments', value: params.segmentKey }],
      limit: mostNamed,
    })
    if (others.total > 0) {
      const keys = others.items.map((row) => row.key)
      fail('optimistic_locking_error', { message: `Segments refer to this segment: ${keys.join(', ')}` })
    }
    const besides = await segmentActions(tx, params, environment, segment, undefined, query)
    for (const action of besides) await context.demand(action, segments, params, segment)
    await rememberGeneration(tx, params, segment)
    tx.remove(segments, params, segment)
    tx.clear(segments.address.address(params))
  },
})
