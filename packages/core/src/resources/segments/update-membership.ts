import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/unit-of-work.ts'
import { editMembership } from './edit-membership.ts'
import { requireBigSegment } from './require-big-segment.ts'
import { saveSegment } from './save-segment.ts'
import type { SegmentKeys } from './segment.ts'
import type { SideEdit } from './target-lists.ts'

/** Changes who is in a big segment, and nothing else of it. */
export async function updateMembership(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  keys: SegmentKeys,
  edits: readonly SideEdit[],
  contextKind?: string,
): Promise<void> {
  const before = await requireBigSegment(context, keys, contextKind)
  context.requireRevision(before.version)
  const after = await saveSegment(context, keys, before, await editMembership(context, keys, before, edits))
  context.revision(after.version)
}
