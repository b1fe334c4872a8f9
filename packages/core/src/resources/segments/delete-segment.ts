import * as v from 'valibot'
import { segments } from '../../models/segments/segment.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { saveGeneration } from './big/big-segment.ts'
import { importLockKeys, importLocks } from './imports/import-lock.ts'
import { revisionAt } from './segment-at.ts'

export const deleteSegment = operation({
  id: 'deleteSegment',
  undo: [
    undoOf(segments, {
      async remove(context, params, segment, options): Promise<void> {
        await context.demand('deleteSegment', segments, params, segment)
        await deleteSegment.handle(context, { params, query: options })
      },
    }),
  ],
  summary: 'Delete a segment that no flag, AI config or other segment refers to',
  method: 'DELETE',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  query: v.object({ ...bypassQuery, ...detachQuery }),
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: { action: 'deleteSegment', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}' },
  async handle(context, { params }) {
    const { tx, fail } = context
    const [segmentDocument, lock] = await Promise.all([
      tx.get(segments, params),
      tx.get(importLocks, importLockKeys(params)),
    ])
    const segment = segmentDocument ?? fail('not_found')
    context.requireRevision(revisionAt(segment, context))
    await saveGeneration(tx, params, segment)
    tx.remove(segments, params, segment)
    if (lock?.segmentKey === params.segmentKey) tx.discard(importLocks, importLockKeys(params))
    tx.clear(segments.address.address(params))
  },
})
