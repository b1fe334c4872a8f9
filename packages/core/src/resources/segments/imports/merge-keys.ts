import {
  type BigList,
  bigExcluded,
  bigIncluded,
  type Segment,
  type SegmentKeys,
  segments,
} from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Writer } from '../../../storage/writer.ts'
import { type ImportKeys, type ImportMode, stagedKeys } from './segment-import.ts'
import type { StagedKeys } from './staged-keys.ts'

/** An import whose keys are added to a segment. */
interface MergedImport {
  readonly keys: ImportKeys
  readonly staged: StagedKeys
  readonly mode: ImportMode
  /** Attribute of the error about an excluded key. */
  readonly attribute: string
}

/**
 * Adds staged keys to the included keys, in the commit of the operation.
 *
 * The new count is exact: a concurrent change of the sets also changes the document, so that one of the two commits
 * fails.
 *
 * @returns the document to be stored in the same commit.
 * @throws ApiError `invalid_request` when a key would be both included and excluded.
 */
export async function mergeKeys(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock'>,
  segment: Segment,
  { keys, staged, mode, attribute }: MergedImport,
): Promise<Segment> {
  const { tx, fail } = context
  const now = context.readClock()
  const { bigIncluded: current = { count: 0, revision: 0, changedAt: now } } = segment
  const [newKeyCount, notExcludedCount] = await Promise.all([
    current.count === 0 ? staged.count : staged.countOutside(bigIncluded),
    segment.bigExcluded?.count ? staged.countOutside(bigExcluded) : staged.count,
  ])
  if (notExcludedCount < staged.count) {
    fail('invalid_request', { errors: [{ attribute, reason: 'must not contain a key that is also excluded' }] })
  }
  tx.moveKeys(stagedKeys, keys, bigIncluded, keys, { replace: mode === 'replace' })
  const count = mode === 'replace' ? staged.count : current.count + newKeyCount
  if (newKeyCount === 0 && count === current.count) return unchanged(tx, keys, segment)
  const updated: BigList = { count, revision: current.revision + 1, changedAt: now }
  return { ...segment, bigIncluded: updated }
}

/** Does not change the document, but requires that the counted sets are unchanged at the commit. */
function unchanged(tx: Writer, keys: SegmentKeys, segment: Segment): Segment {
  tx.expect(segments, keys, segment)
  return segment
}
