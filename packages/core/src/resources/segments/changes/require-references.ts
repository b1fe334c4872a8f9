import {
  holdSegment,
  namedBy,
  type Segment,
  type SegmentKeys,
  type SegmentRule,
  segments,
} from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { Fault } from '../../../rules/json-guard.ts'
import type { Writer } from '../../../storage/writer.ts'

/**
 * Maximum number of segments that a segment can reach by references. It bounds the number of documents that a write
 * reads.
 */
const mostReached = 1_000

const mostFaults = 20

/**
 * Rejects rules that refer to a segment which does not exist in the environment, or which leads back to this segment
 * (D24).
 *
 * Only new references can cause either. The commit requires that every segment on the way is unchanged; otherwise two
 * segments that concurrently start to refer to each other would both find no cycle.
 */
export async function requireReferences(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail'>,
  keys: SegmentKeys,
  before: Segment,
  after: Segment,
): Promise<void> {
  const { tx, fail } = context
  const refuse = (reason: string) => fail('invalid_request', { errors: [{ attribute: 'rules', reason }] })
  const known = new Set(namedBy(before.rules))
  const added = namedBy(after.rules).filter((key) => !known.has(key))
  const reached = new Set(added)
  let next = added
  while (next.length > 0) {
    if (reached.has(keys.segmentKey)) refuse('must not refer to the segment itself, also not through other segments')
    if (reached.size > mostReached) refuse(`must not lead to more than ${mostReached} segments`)
    const found = await tx.getMany(
      segments,
      next.map((segmentKey) => ({ ...keys, segmentKey })),
    )
    const there = found.filter((segment) => segment !== undefined)
    if (next === added && there.length < added.length) {
      const missing = new Set(added.filter((_, i) => !found[i]))
      fail('invalid_request', { errors: placesOf(after.rules, missing) })
    }
    for (const segment of there) {
      const place = { ...keys, segmentKey: segment.key }
      if (next === added) holdSegment(tx, place, segment)
      else tx.expect(segments, place, segment)
    }
    next = [...new Set(there.flatMap((segment) => namedBy(segment.rules)))].filter((key) => !reached.has(key))
    for (const key of next) reached.add(key)
  }
}

/** Returns an error for each position at which rules refer to one of these segments. */
function placesOf(rules: readonly SegmentRule[], segmentKeys: ReadonlySet<string>): Fault[] {
  const places = rules.flatMap(({ clauses }, r) =>
    clauses.flatMap(({ op, values }, c) =>
      op === 'segmentMatch'
        ? values.flatMap((value, i) => (segmentKeys.has(String(value)) ? [`rules.${r}.clauses.${c}.values.${i}`] : []))
        : [],
    ),
  )
  return places
    .slice(0, mostFaults)
    .map((attribute) => ({ attribute, reason: 'must be the key of a segment of the environment' }))
}
