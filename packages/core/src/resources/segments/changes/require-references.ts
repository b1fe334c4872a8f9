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

/** Most segments that one can reach by references, so that a write looks at a bounded number of documents. */
const mostReached = 1_000

const mostFaults = 20

/**
 * Refuses rules that name a segment which the environment does not have, or which leads back to this one (D24).
 *
 * Only names that were not there before can do either. Every segment on the way must still be the same at the commit:
 * two segments that begin to name each other at the same time would otherwise both find no circle.
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
    if (reached.has(keys.segmentKey)) refuse('must not lead back to the segment itself')
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

/** Where rules name one of these segments. */
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
