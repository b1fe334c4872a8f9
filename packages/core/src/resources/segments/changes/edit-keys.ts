import type { Segment, SegmentKeys } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { editMembership } from '../big/edit-membership.ts'
import { processImport } from '../imports/process-import.ts'
import type { EditedSegment } from './edit-segment.ts'

/**
 * Does to the sets of a big segment what instructions came to: the keys of an import that waited, or keys one by one.
 *
 * @returns the document as it is to be stored in the same commit.
 * @throws ApiError `invalid_request` naming what is at fault.
 */
export function editKeys(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock'>,
  keys: SegmentKeys,
  { segment, membership, imported }: Omit<EditedSegment, 'faults'>,
): Promise<Segment> {
  return imported ? processImport(context, keys, segment, imported) : editMembership(context, keys, segment, membership)
}
