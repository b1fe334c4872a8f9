import { type Segment, type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Reader } from '../../../storage/reader.ts'

/**
 * Returns the big segment of a path.
 *
 * @param contextKind required context kind of its keys; default: any kind.
 * @throws ApiError `not_found`; `invalid_request` for a standard segment or one of another context kind.
 */
export async function requireBigSegment(
  { tx, fail }: Context<Reader, 'invalid_request' | 'not_found'>,
  keys: SegmentKeys,
  contextKind?: string,
): Promise<Segment> {
  const segment = (await tx.get(segments, keys)) ?? fail('not_found')
  if (!segment.unbounded) fail('invalid_request', { message: 'This operation is for big segments only' })
  if (contextKind !== undefined && contextKind !== segment.unboundedContextKind) {
    fail('invalid_request', { message: `The segment does not contain contexts of the kind ${contextKind}` })
  }
  return segment
}
