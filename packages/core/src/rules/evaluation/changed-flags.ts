import type { Ruleset } from './evaluation.ts'
import type { ClauseData } from './flag-data.ts'
import type { LayeredMap } from './layered-map.ts'

/**
 * Returns the flags that may have another value, or another reason for it, than before: flags that are new, deleted or
 * different, and flags that depend on them through prerequisites or segments.
 *
 * @returns their keys, sorted; empty if both rulesets have the same content.
 */
export function changedFlags(before: Ruleset, after: Ruleset): string[] {
  const segments = changedKeys(before.segments, after.segments)
  const flags = changedKeys(before.flags, after.flags)
  if (segments.size > 0) {
    spread(segments, after.segments, ({ rules }) => (rules ?? []).flatMap(segmentsOf))
    for (const [key, { data }] of after.flags.entries()) {
      if ((data.rules ?? []).flatMap(segmentsOf).some((one) => segments.has(one))) flags.add(key)
    }
  }
  if (flags.size > 0) spread(flags, after.flags, ({ prerequisites }) => (prerequisites ?? []).map(({ key }) => key))
  return [...flags].sort()
}

/** A flag or a segment, compiled or not. */
interface Of<D> {
  readonly data: D
}

/**
 * Returns the keys whose data differ. A ruleset shares unchanged objects with the ruleset before it, so only new
 * objects are compared in depth.
 */
function changedKeys<D extends object>(before: LayeredMap<Of<D>>, after: LayeredMap<Of<D>>): Set<string> {
  const keys = new Set<string>()
  for (const [key, was] of before.entries()) {
    const is = after.get(key)
    if (is !== was && (!is || !isSame(is.data, was.data))) keys.add(key)
  }
  for (const [key] of after.entries()) if (!before.get(key)) keys.add(key)
  return keys
}

/** Compares without `version`, which also grows when another environment or the name of the flag changes. */
function isSame(a: object, b: object): boolean {
  return JSON.stringify({ ...a, version: null }) === JSON.stringify({ ...b, version: null })
}

/** Adds everything that depends on a changed key, directly or indirectly. */
function spread<D>(changed: Set<string>, all: LayeredMap<Of<D>>, standsOn: (data: D) => string[]): void {
  const upon = new Map<string, string[]>()
  for (const [key, { data }] of all.entries()) {
    for (const below of standsOn(data)) {
      const known = upon.get(below)
      if (known) known.push(key)
      else upon.set(below, [key])
    }
  }
  // A Set also iterates over elements that are added during the iteration.
  for (const key of changed) for (const above of upon.get(key) ?? []) changed.add(above)
}

function segmentsOf({ clauses }: { readonly clauses?: readonly ClauseData[] | null }): string[] {
  return (clauses ?? []).flatMap(({ op, values }) => (op === 'segmentMatch' ? (values ?? []).map(String) : []))
}
