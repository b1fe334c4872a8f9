import { environments } from '../../../models/environments/environment.ts'
import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { ApprovalPass } from '../../environments/approval-pass.ts'
import { saveSegment } from '../changes/save-segment.ts'
import type { SideEdit } from '../target-lists.ts'
import { editMembership } from './edit-membership.ts'
import { requireBigSegment } from './require-big-segment.ts'

/** Changes the keys of a big segment. */
export async function updateMembership(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  keys: SegmentKeys,
  edits: readonly SideEdit[],
  pass: ApprovalPass,
  contextKind?: string,
): Promise<void> {
  const [before, environmentDocument] = await Promise.all([
    requireBigSegment(context, keys, contextKind),
    context.tx.get(environments, keys),
  ])
  const environment = environmentDocument ?? context.fail('not_found')
  context.requireRevision(before.version)
  const edited = await editMembership(context, keys, before, edits)
  const after = await saveSegment(context, keys, environment, before, edited, pass)
  context.setRevision(after.version)
}
