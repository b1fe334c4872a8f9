import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { saveSegment } from '../changes/save-segment.ts'
import type { SideEdit } from '../target-lists.ts'
import { editMembership } from './edit-membership.ts'
import { requireBigSegment } from './require-big-segment.ts'

/** Changes the keys of a big segment. */
export async function updateMembership(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  keys: SegmentKeys,
  edits: readonly SideEdit[],
  contextKind?: string,
): Promise<void> {
  const before = await requireBigSegment(context, keys, contextKind)
  context.requireRevision(before.version)
  const edited = await editMembership(context, { keys, segment: before }, edits)
  const after = await saveSegment(context, { keys, before, after: edited })
  context.setRevision(after.version)
}
