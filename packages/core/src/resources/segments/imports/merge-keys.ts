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

/**
 * Makes staged keys count as included ones, all in the commit of the operation.
 *
 * The new count is exact: whoever changes the sets meanwhile changes the document as well, so that one of the two
 * commits is refused.
 *
 * @param attribute what a key that is excluded is blamed on.
 * @returns the document as it is to be stored in the same commit.
 * @throws ApiError `invalid_request` when a key would be both included and excluded.
 */
export async function mergeKeys(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail' | 'readClock'>,
  keys: ImportKeys,
  segment: Segment,
  staged: StagedKeys,
  mode: ImportMode,
  attribute: string,
): Promise<Segment> {
  const { tx, fail } = context
  const now = context.readClock()
  const { bigIncluded: told = { count: 0, revision: 0, changedAt: now } } = segment
  const [fresh, notExcluded] = await Promise.all([
    told.count === 0 ? staged.count : staged.outside(bigIncluded),
    segment.bigExcluded?.count ? staged.outside(bigExcluded) : staged.count,
  ])
  if (notExcluded < staged.count) {
    fail('invalid_request', { errors: [{ attribute, reason: 'must not hold a key that is excluded too' }] })
  }
  tx.moveKeys(stagedKeys, keys, bigIncluded, keys, { replace: mode === 'replace' })
  const count = mode === 'replace' ? staged.count : told.count + fresh
  if (fresh === 0 && count === told.count) return unchanged(tx, keys, segment)
  const list: BigList = { count, revision: told.revision + 1, changedAt: now }
  return { ...segment, bigIncluded: list }
}

/** Nothing is written to the document, yet what was just counted must still be so. */
function unchanged(tx: Writer, keys: SegmentKeys, segment: Segment): Segment {
  tx.expect(segments, keys, segment)
  return segment
}
