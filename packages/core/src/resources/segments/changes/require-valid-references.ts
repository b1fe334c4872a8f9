import {
  recordSegmentReference,
  referencedSegments,
  type Segment,
  type SegmentKeys,
  type SegmentRule,
  segments,
} from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import type { ValidationError } from '../../../rules/json-guard.ts'
import type { Replacement } from '../../../storage/collection.ts'
import type { Writer } from '../../../storage/writer.ts'

/**
 * Maximum number of segments that a segment can reach by references. It bounds the number of documents that a write
 * reads.
 */
const maxReachable = 1_000

const maxReportedErrors = 20

/**
 * Rejects rules that refer to a segment which does not exist in the environment, or which leads back to this segment
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d24-segments).
 *
 * Only new references can cause either. The commit requires that every segment on the way is unchanged; otherwise two
 * segments that concurrently start to refer to each other would both find no cycle.
 */
export async function requireValidReferences(
  context: Pick<Context<Writer, 'invalid_request'>, 'tx' | 'fail'>,
  { keys, before, after }: Replacement<Segment, SegmentKeys>,
): Promise<void> {
  const { tx, fail } = context
  const refuse = (reason: string) => fail('invalid_request', { errors: [{ attribute: 'rules', reason }] })
  const existingKeys = new Set(referencedSegments(before.rules))
  const added = referencedSegments(after.rules).filter((key) => !existingKeys.has(key))
  const reached = new Set(added)
  let next = added
  while (next.length > 0) {
    if (reached.has(keys.segmentKey))
      refuse('must not refer to the segment itself, neither directly nor through other segments')
    if (reached.size > maxReachable) refuse(`must not lead to more than ${maxReachable} segments`)
    const documents = await tx.getMany(
      segments,
      next.map((segmentKey) => ({ ...keys, segmentKey })),
    )
    const existing = documents.filter((segment) => segment !== undefined)
    if (next === added && existing.length < added.length) {
      const missing = new Set(added.filter((_, i) => !documents[i]))
      fail('invalid_request', { errors: errorsOfReferences(after.rules, missing) })
    }
    for (const segment of existing) {
      const segmentKeys = { ...keys, segmentKey: segment.key }
      if (next === added) recordSegmentReference(tx, segmentKeys, segment)
      else tx.expect(segments, segmentKeys, segment)
    }
    next = [...new Set(existing.flatMap((segment) => referencedSegments(segment.rules)))].filter(
      (key) => !reached.has(key),
    )
    for (const key of next) reached.add(key)
  }
}

/** Returns an error for each position at which rules refer to one of these segments. */
function errorsOfReferences(rules: readonly SegmentRule[], segmentKeys: ReadonlySet<string>): ValidationError[] {
  const paths = rules.flatMap(({ clauses }, r) =>
    clauses.flatMap(({ op, values }, c) =>
      op === 'segmentMatch'
        ? values.flatMap((value, i) => (segmentKeys.has(String(value)) ? [`rules.${r}.clauses.${c}.values.${i}`] : []))
        : [],
    ),
  )
  return paths
    .slice(0, maxReportedErrors)
    .map((attribute) => ({ attribute, reason: 'must be the key of a segment of the environment' }))
}
