import {
  type BigList,
  bigExcluded,
  bigIncluded,
  isGrownSegment,
  type Segment,
  type SegmentKeys,
  segments,
} from '../../models/segments/segment.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { allKeys } from '../../storage/all-keys.ts'
import type { Reader } from '../../storage/reader.ts'

/** Maximum number of attempts to read the keys, when they change during the read. */
const maxAttempts = 3

/**
 * Returns a segment with the lists that evaluation and SDKs need. The keys of a segment that grew beyond the limit of a
 * standard one are rows, and are read into lists here. The size of a segment therefore changes how it is stored, never
 * what it serves (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments). A segment that was created as a
 * big one is returned unchanged.
 *
 * @returns undefined when the segment was deleted during the read.
 */
export async function withListedKeys(tx: Reader, keys: SegmentKeys, segment: Segment): Promise<Segment | undefined> {
  let current: Segment | undefined = segment
  for (let attempt = 1; current && isGrownSegment(current); attempt++) {
    const listed: Segment = await readLists(tx, keys, current)
    const latest: Segment | undefined = await tx.get(segments, keys)
    // Each change of the sets also changes the document. If the document changes during every attempt, the result may
    // be outdated; the next read corrects it.
    if (latest?.version === current.version || attempt === maxAttempts) return latest && listed
    current = latest
  }
  return current
}

async function readLists(tx: Reader, keys: SegmentKeys, segment: Segment): Promise<Segment> {
  const { unboundedContextKind: contextKind = userKind, ...standard } = segment
  const [included, excluded] = await Promise.all([
    readKeys(tx, bigIncluded, { keys, list: segment.bigIncluded }),
    readKeys(tx, bigExcluded, { keys, list: segment.bigExcluded }),
  ])
  const lists =
    contextKind === userKind
      ? { included, excluded }
      : { includedContexts: [{ contextKind, values: included }], excludedContexts: [{ contextKind, values: excluded }] }
  return { ...standard, unbounded: false, ...lists }
}

/** A list of a segment. */
interface SegmentList {
  readonly keys: SegmentKeys
  readonly list: BigList | undefined
}

/** Reads all keys of one list of a big segment. Reads nothing if `list` is undefined or has the count 0. */
async function readKeys(tx: Reader, set: typeof bigIncluded, { keys, list }: SegmentList) {
  return list?.count ? allKeys((page) => tx.pageKeys(set, keys, page)) : []
}
