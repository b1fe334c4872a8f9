import type { Segment } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import { parse } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { segmentSettings } from '../segment-wire.ts'
import { type EditedSegment, editSegment } from './edit-segment.ts'
import type { SegmentInstruction } from './segment-instruction-wire.ts'

/**
 * Follows the instructions of a semantic patch, or of an approval request (D12).
 *
 * @returns the document, and what is left to be done to the sets of a big segment.
 * @throws ApiError `invalid_request` naming each instruction that cannot be followed.
 */
export function instructedSegment(
  context: Pick<Context<Reader, 'invalid_request'>, 'useHost' | 'fail'>,
  before: Segment,
  instructions: readonly SegmentInstruction[],
): Omit<EditedSegment, 'faults'> {
  const { fail } = context
  const host = context.useHost()
  const { faults, ...edited } = editSegment(before, instructions, host.newId)
  if (faults.length > 0) fail('invalid_request', { errors: faults })
  // Each instruction was checked alone; together they can make more tags than there may be.
  const tags = parse(segmentSettings.entries.tags, edited.segment.tags)
  if (!tags.ok) fail('invalid_request', { errors: tags.faults.map(({ reason }) => ({ attribute: 'tags', reason })) })
  return edited
}
