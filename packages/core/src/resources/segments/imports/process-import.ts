import type { Segment, SegmentKeys } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { mergeKeys } from './merge-keys.ts'
import { type SegmentImport, segmentImports } from './segment-import.ts'
import { keysStored } from './staged-keys.ts'

/** An instruction that makes an import count which waits for it. */
export interface ProcessImport {
  readonly importId: string
  /** What a fault is blamed on. */
  readonly attribute: string
}

/**
 * Makes the keys of a waiting import count; one that has been processed stays so (D12).
 *
 * @returns the document as it is to be stored in the same commit.
 * @throws ApiError `invalid_request` for what is no import of the segment that waits.
 */
export async function processImport(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock'>,
  keys: SegmentKeys,
  segment: Segment,
  { importId, attribute }: ProcessImport,
): Promise<Segment> {
  const { tx, fail } = context
  const place = { ...keys, importId }
  const found = await tx.get(segmentImports, place)
  if (found?.segmentId === segment.id && found.status === 'complete') return segment
  const staged = await keysStored(tx, place)
  // A commit that was cut off and happened all the same has had its keys taken back.
  const isWhole = found?.segmentId === segment.id && found.status !== 'stopped' && found.keys === staged.count
  if (!isWhole) {
    return fail('invalid_request', {
      errors: [{ attribute, reason: 'must be the id of an import of the segment that waits' }],
    })
  }
  const complete: SegmentImport = { ...found, status: 'complete' }
  tx.follow(segmentImports, place, found, complete)
  return mergeKeys(context, place, segment, staged, found.mode, attribute)
}
