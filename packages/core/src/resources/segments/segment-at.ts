import type { Segment } from '../../models/segments/segment.ts'
import { expiredTargets, type Moment, type TargetName } from '../../rules/expiring-targets/expiring-targets.ts'
import { editTargets, type Side, targetsOn } from './target-lists.ts'

/**
 * A segment as it is at a moment: without the targets whose date has come, and without those dates. Whatever reads a
 * segment reads it so; from the document they go with the next change (docs/decisions/0026-expire-targets-on-read.md).
 */
export function segmentAt(segment: Segment, moment: Moment): Segment {
  const { expiringTargets = [] } = segment
  const gone = expiredTargets(expiringTargets, moment)
  if (gone.length === 0) return segment
  const edits = gone.map(({ place, contextKind, contextKey }) => ({
    side: place as Side,
    adds: false,
    contextKind,
    keys: [contextKey],
  }))
  return { ...editTargets(segment, edits), expiringTargets: expiringTargets.filter((one) => !gone.includes(one)) }
}

/** Returns the revision of a segment at a time. An expired target changes the response, but not the version. */
export function revisionAt({ version, expiringTargets = [] }: Segment, moment: Moment): string | number {
  const gone = expiredTargets(expiringTargets, moment).length
  return gone === 0 ? version : `${version}-${gone}`
}

/** Returns a test of whether a context is a target of a segment. */
export function isTargetOf(segment: Segment): (name: TargetName) => boolean {
  const lists = new Map<string, ReadonlySet<string>>()
  for (const side of ['included', 'excluded'] as const) {
    for (const { contextKind, values } of targetsOn(segment, side)) lists.set(`${side} ${contextKind}`, new Set(values))
  }
  return ({ place, contextKind, contextKey }) => lists.get(`${place} ${contextKind}`)?.has(contextKey) ?? false
}
