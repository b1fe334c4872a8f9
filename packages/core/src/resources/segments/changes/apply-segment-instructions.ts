import type { Segment } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import { parse } from '../../../operation/schema.ts'
import type { Sentence } from '../../../rules/sentences/sentence.ts'
import type { Reader } from '../../../storage/reader.ts'
import { segmentSettings } from '../segment-schema.ts'
import { editSegment, type SegmentEditResult } from './edit-segment.ts'
import type { SegmentInstruction } from './segment-instruction.ts'
import { segmentSentences } from './segment-sentences.ts'

/** The result of instructions, with the sentences about them for the change log. */
export interface AppliedInstructions extends Omit<SegmentEditResult, 'errors'> {
  readonly sentences: readonly Sentence[]
}

/**
 * Applies the instructions of a semantic patch or of an approval request to a segment
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 *
 * @returns the document, and the changes of the sets of a big segment that remain to be made.
 * @throws ApiError `invalid_request` that names each instruction that cannot be applied.
 */
export function applySegmentInstructions(
  context: Pick<Context<Reader, 'invalid_request'>, 'useHost' | 'fail'>,
  before: Segment,
  instructions: readonly SegmentInstruction[],
): AppliedInstructions {
  const { fail } = context
  const host = context.useHost()
  const { errors: validationErrors, ...edited } = editSegment(before, instructions, host.newId)
  if (validationErrors.length > 0) fail('invalid_request', { errors: validationErrors })
  // Each instruction is valid on its own, but several together can exceed the maximum number of tags.
  const tags = parse(segmentSettings.entries.tags, edited.segment.tags)
  if (!tags.ok) fail('invalid_request', { errors: tags.errors.map(({ reason }) => ({ attribute: 'tags', reason })) })
  return { ...edited, sentences: segmentSentences(before, instructions) }
}
