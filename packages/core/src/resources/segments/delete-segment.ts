import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { segments } from '../../models/segments/segment.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { operation } from '../../operation/operation.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { saveGeneration } from './big/big-segment.ts'
import { segmentBypassActions } from './changes/segment-approval.ts'
import { importLockKeys, importLocks } from './imports/import-lock.ts'
import { revisionAt } from './segment-at.ts'

export const deleteSegment = operation({
  id: 'deleteSegment',
  summary: 'Delete a segment that no flag, AI config or other segment refers to',
  method: 'DELETE',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  query: v.object({ ...bypassQuery, ...detachQuery }),
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: { action: 'deleteSegment', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const [segmentDocument, environmentDocument, lock] = await Promise.all([
      tx.get(segments, params),
      tx.get(environments, params),
      tx.get(importLocks, importLockKeys(params)),
    ])
    const segment = segmentDocument ?? fail('not_found')
    const environment = environmentDocument ?? fail('not_found')
    context.requireRevision(revisionAt(segment, context))
    const extraActions = await segmentBypassActions(tx, params, environment, segment, undefined, query)
    for (const action of extraActions) await context.demand(action, segments, params, segment)
    await saveGeneration(tx, params, segment)
    tx.remove(segments, params, segment)
    if (lock?.segmentKey === params.segmentKey) tx.discard(importLocks, importLockKeys(params))
    tx.clear(segments.address.address(params))
  },
})
