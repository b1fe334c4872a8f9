import type { Segment } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { StoredSegment } from '../big/big-segment.ts'
import { mergeKeys } from './merge-keys.ts'
import { type SegmentImport, segmentImports } from './segment-import.ts'
import { storedStagedKeys } from './staged-keys.ts'

/** An instruction that adds the keys of a waiting import. */
export interface ProcessImport {
  readonly importId: string
  /** Attribute of the errors about the import. */
  readonly attribute: string
}

/**
 * Adds the keys of a waiting import to the segment. Changes nothing for an import that has been processed already
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 *
 * @returns the document to be stored in the same commit.
 * @throws ApiError `invalid_request` when the id is not that of a waiting import of the segment.
 */
export async function processImport(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock'>,
  { keys, segment }: StoredSegment,
  { importId, attribute }: ProcessImport,
): Promise<Segment> {
  const { tx, fail } = context
  const importKeys = { ...keys, importId }
  const segmentImport = await tx.get(segmentImports, importKeys)
  if (segmentImport?.segmentId === segment.id && segmentImport.status === 'complete') return segment
  const staged = await storedStagedKeys(tx, importKeys)
  // If a commit was applied although its connection was lost, the import exists, but its keys were deleted.
  const isComplete =
    segmentImport?.segmentId === segment.id && segmentImport.status !== 'stopped' && segmentImport.keys === staged.count
  if (!isComplete) {
    return fail('invalid_request', {
      errors: [{ attribute, reason: 'must be the id of a waiting import of the segment' }],
    })
  }
  const complete: SegmentImport = { ...segmentImport, status: 'complete' }
  tx.follow(segmentImports, importKeys, segmentImport, complete)
  return mergeKeys(context, segment, { keys: importKeys, staged, mode: segmentImport.mode, attribute })
}
