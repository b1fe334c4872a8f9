import { type Segment, type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { editMembership } from '../big/edit-membership.ts'
import { processImport } from '../imports/process-import.ts'
import type { AppliedInstructions } from './apply-segment-instructions.ts'

/**
 * Applies the result of instructions to the sets of a big segment: the keys of a waiting import, or single keys. Passes
 * the sentences about the instructions to the change log.
 *
 * @returns the document to be stored in the same commit.
 * @throws ApiError `invalid_request` that names the cause.
 */
export function editKeys(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock'>,
  keys: SegmentKeys,
  { segment, membership, imported, sentences }: AppliedInstructions,
): Promise<Segment> {
  // The change log computes the numbers of added and removed keys from the documents before and after the change.
  context.tx.describe(segments, keys, sentences, ['bigIncluded', 'bigExcluded'])
  return imported
    ? processImport(context, { keys, segment }, imported)
    : editMembership(context, { keys, segment }, membership)
}
