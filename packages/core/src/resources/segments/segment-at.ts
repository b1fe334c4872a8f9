import type { Segment } from '../../models/segments/segment.ts'
import { type ExpiryClock, expiredTargets, type TargetId } from '../../rules/expiring-targets/expiring-targets.ts'
import { editTargets, type Side, targetsOn } from './target-lists.ts'

/**
 * Returns a segment as it is at a time: without the targets whose expiry date has passed, and without those dates.
 * Every read of a segment uses this function; the next change of the segment removes the targets from the document
 * (docs/decisions/0026-expire-targets-on-read.md).
 */
export function segmentAt(segment: Segment, moment: ExpiryClock): Segment {
  const { expiringTargets = [] } = segment
  const expired = expiredTargets(expiringTargets, moment)
  if (expired.length === 0) return segment
  const edits = expired.map(({ place: listName, contextKind, contextKey }) => ({
    side: listName as Side,
    adds: false,
    contextKind,
    keys: [contextKey],
  }))
  return {
    ...editTargets(segment, edits),
    expiringTargets: expiringTargets.filter((target) => !expired.includes(target)),
  }
}

/** Returns the revision of a segment at a time. An expired target changes the response, but not the version. */
export function revisionAt({ version, expiringTargets = [] }: Segment, moment: ExpiryClock): string | number {
  const expired = expiredTargets(expiringTargets, moment).length
  return expired === 0 ? version : `${version}-${expired}`
}

/** Returns a test of whether a context is a target of a segment. */
export function isTargetOf(segment: Segment): (name: TargetId) => boolean {
  const lists = new Map<string, ReadonlySet<string>>()
  for (const side of ['included', 'excluded'] as const) {
    for (const { contextKind, values } of targetsOn(segment, side)) lists.set(`${side} ${contextKind}`, new Set(values))
  }
  return ({ place: listName, contextKind, contextKey }) =>
    lists.get(`${listName} ${contextKind}`)?.has(contextKey) ?? false
}
