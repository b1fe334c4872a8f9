import type { Rule } from '../../rules/targeting/rule.ts'
import type { Writer } from '../../storage/writer.ts'
import { holdSegment, namedBy, type SegmentKeys, segments } from './segment.ts'

/** Rules of a targeting in an environment, before and after a change. */
export interface ChangedRules {
  readonly environmentKey: string
  readonly before: { readonly rules: readonly Rule[] }
  readonly after: { readonly rules: readonly Rule[] }
}

/**
 * Records new references to segments in the documents of these segments, so that they cannot be deleted concurrently.
 *
 * @returns the keys of the referenced segments that do not exist.
 */
export async function holdNamed(
  tx: Writer,
  projectKey: string,
  changes: readonly ChangedRules[],
): Promise<readonly SegmentKeys[]> {
  const named = changes.flatMap(({ environmentKey, before, after }) => {
    const known = new Set(namedBy(before.rules))
    const added = namedBy(after.rules).filter((segmentKey) => !known.has(segmentKey))
    return added.map((segmentKey) => ({ projectKey, environmentKey, segmentKey }))
  })
  const found = await tx.getMany(segments, named)
  return named.filter((keys, at) => {
    const segment = found[at]
    if (segment) holdSegment(tx, keys, segment)
    return !segment
  })
}
