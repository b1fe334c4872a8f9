import type { Rule } from '../../rules/targeting/rule.ts'
import type { Writer } from '../../storage/writer.ts'
import { recordSegmentReference, referencedSegments, type SegmentKeys, segments } from './segment.ts'

/** Rules of a targeting in an environment, before and after a change. */
export interface RulesChange {
  readonly environmentKey: string
  readonly before: { readonly rules: readonly Rule[] }
  readonly after: { readonly rules: readonly Rule[] }
}

/**
 * Records new references to segments in the documents of these segments, so that they cannot be deleted concurrently.
 *
 * @returns the keys of the referenced segments that do not exist.
 */
export async function recordNewReferences(
  tx: Writer,
  projectKey: string,
  changes: readonly RulesChange[],
): Promise<readonly SegmentKeys[]> {
  const newReferences = changes.flatMap(({ environmentKey, before, after }) => {
    const existingKeys = new Set(referencedSegments(before.rules))
    const added = referencedSegments(after.rules).filter((segmentKey) => !existingKeys.has(segmentKey))
    return added.map((segmentKey) => ({ projectKey, environmentKey, segmentKey }))
  })
  const documents = await tx.getMany(segments, newReferences)
  return newReferences.filter((keys, index) => {
    const segment = documents[index]
    if (segment) recordSegmentReference(tx, keys, segment)
    return !segment
  })
}
