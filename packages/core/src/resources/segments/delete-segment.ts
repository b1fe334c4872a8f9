import * as v from 'valibot'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { segmentRemovalFollowUps } from '../../models/follow-ups.ts'
import { segments } from '../../models/segments/segment.ts'
import { targetingFlags } from '../../models/segments/targeting-flags.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import type { Listed, ListOptions, Row } from '../../storage/reader.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { saveGeneration } from './big/big-segment.ts'
import { importLockKeys, importLocks } from './imports/import-lock.ts'
import { revisionAt } from './segment-at.ts'

/** Maximum number of references that the message names. */
const maxNamedReferences = 5

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
  query: v.object(bypassQuery),
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
    const references: ListOptions = {
      where: [{ op: 'equals', field: 'segments', value: params.segmentKey }],
      limit: maxNamedReferences,
    }
    const [flagKeys, aiConfigs, others] = await Promise.all([
      tx.pageKeys(targetingFlags, params, { limit: maxNamedReferences }),
      tx.listRows(aiConfigTargetings, params, references),
      tx.listRows(segments, params, references),
    ])
    const referencesByKind = { Flags: flagKeys, 'AI configs': keysOf(aiConfigs), Segments: keysOf(others) }
    for (const [kind, keys] of Object.entries(referencesByKind)) {
      if (keys.length === 0) continue
      fail('optimistic_locking_error', { message: `${kind} refer to this segment: ${keys.join(', ')}` })
    }
    await saveGeneration(tx, params, segment)
    tx.remove(segments, params, segment)
    if (lock?.segmentKey === params.segmentKey) tx.discard(importLocks, importLockKeys(params))
    tx.clear(segments.address.address(params))
    for (const followUp of segmentRemovalFollowUps) followUp(tx, params)
  },
})

function keysOf({ items }: Listed<Row>): readonly string[] {
  return items.map(({ key }) => key)
}
