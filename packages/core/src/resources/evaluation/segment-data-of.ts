import type { Segment } from '../../models/segments/segment.ts'
import type { SegmentData } from '../../rules/evaluation/index.ts'
import { clauseDataOf } from '../../rules/evaluation/targeting-data.ts'

/**
 * Returns a segment as SDKs receive it. Its id is the salt of its rules, so another segment with the same key assigns
 * contexts differently.
 *
 * @param segment current segment, without expired targets.
 */
export function segmentDataOf(segment: Segment): SegmentData {
  const { unbounded, unboundedContextKind, generation } = segment
  return {
    key: segment.key,
    version: segment.version,
    salt: segment.id,
    included: segment.included,
    excluded: segment.excluded,
    includedContexts: segment.includedContexts,
    excludedContexts: segment.excludedContexts,
    rules: segment.rules.map((rule) => ({
      id: rule._id,
      clauses: rule.clauses.map(clauseDataOf),
      weight: rule.weight,
      bucketBy: rule.bucketBy,
      rolloutContextKind: rule.rolloutContextKind,
    })),
    ...(unbounded ? { unbounded, unboundedContextKind, generation } : {}),
  }
}
