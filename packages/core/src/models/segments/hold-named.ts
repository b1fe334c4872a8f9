import type { Rule } from '../../rules/targeting/rule.ts'
import type { Writer } from '../../storage/writer.ts'
import { holdSegment, namedBy, type SegmentKeys, segments } from './segment.ts'

/** Rules of a targeting in an environment, as they were and as they are to be. */
export interface ChangedRules {
  readonly environmentKey: string
  readonly before: { readonly rules: readonly Rule[] }
  readonly after: { readonly rules: readonly Rule[] }
}

/**
 * Holds the segments that rules have come to name, so that they stay there.
 *
 * @returns those that are not there.
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
