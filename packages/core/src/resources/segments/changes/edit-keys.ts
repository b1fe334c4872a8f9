import type { Segment, SegmentKeys } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { editMembership } from '../big/edit-membership.ts'
import { processImport } from '../imports/process-import.ts'
import type { SegmentEditResult } from './edit-segment.ts'

/**
 * Applies the result of instructions to the sets of a big segment: the keys of a waiting import, or single keys.
 *
 * @returns the document to be stored in the same commit.
 * @throws ApiError `invalid_request` that names the cause.
 */
export function editKeys(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock'>,
  keys: SegmentKeys,
  { segment, membership, imported }: Omit<SegmentEditResult, 'errors'>,
): Promise<Segment> {
  return imported ? processImport(context, keys, segment, imported) : editMembership(context, keys, segment, membership)
}
