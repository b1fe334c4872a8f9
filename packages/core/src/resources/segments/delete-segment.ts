import { operation } from '../../operation/operation.ts'
import { rememberGeneration } from './big-segment.ts'
import { importTurns, turnOf } from './import-turn.ts'
import { segments } from './segment.ts'
import { revisionAt } from './segment-at.ts'
import { targetingFlags } from './targeting-flags.ts'

/** Enough to show where to look. */
const mostNamed = 5

export const deleteSegment = operation({
  id: 'deleteSegment',
  summary: 'Delete a segment that no flag and no other segment refers to',
  method: 'DELETE',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteSegment', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}' },
  async handle(context, { params }) {
    const { tx, fail } = context
    const [found, turn] = await Promise.all([tx.get(segments, params), tx.get(importTurns, turnOf(params))])
    const segment = found ?? fail('not_found')
    context.requireRevision(revisionAt(segment, context.now))
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
    await rememberGeneration(tx, params, segment)
    tx.remove(segments, params, segment)
    if (turn?.segmentKey === params.segmentKey) tx.discard(importTurns, turnOf(params))
    tx.clear(segments.address.address(params))
  },
})
