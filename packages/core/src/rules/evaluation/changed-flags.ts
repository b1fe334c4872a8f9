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
    addDependents(segments, after.segments, ({ rules }) => (rules ?? []).flatMap(segmentsOf))
    for (const [key, { data }] of after.flags.entries()) {
      if ((data.rules ?? []).flatMap(segmentsOf).some((segment) => segments.has(segment))) flags.add(key)
    }
  }
  if (flags.size > 0)
    addDependents(flags, after.flags, ({ prerequisites }) => (prerequisites ?? []).map(({ key }) => key))
  return [...flags].sort()
}

/** A flag or a segment, compiled or not. */
interface WithData<D> {
  readonly data: D
}

/**
 * Returns the keys whose data differ. A ruleset shares unchanged objects with the ruleset before it, so only new
 * objects are compared in depth.
 */
function changedKeys<D extends object>(before: LayeredMap<WithData<D>>, after: LayeredMap<WithData<D>>): Set<string> {
  const keys = new Set<string>()
  for (const [key, previous] of before.entries()) {
    const current = after.get(key)
    if (current !== previous && (!current || !isSame(current.data, previous.data))) keys.add(key)
  }
  for (const [key] of after.entries()) if (!before.get(key)) keys.add(key)
  return keys
}

/**
 * Returns true if two flags or segments are equal without `version`, which also increases when the flag changes in
 * another environment, or when its name changes.
 */
function isSame(a: object, b: object): boolean {
  return JSON.stringify({ ...a, version: null }) === JSON.stringify({ ...b, version: null })
}

/** Adds everything that depends on a changed key, directly or indirectly. */
function addDependents<D>(
  changed: Set<string>,
  all: LayeredMap<WithData<D>>,
  dependenciesOf: (data: D) => string[],
): void {
  const dependents = new Map<string, string[]>()
  for (const [key, { data }] of all.entries()) {
    for (const dependency of dependenciesOf(data)) {
      const keys = dependents.get(dependency)
      if (keys) keys.push(key)
      else dependents.set(dependency, [key])
    }
  }
  // A Set also iterates over elements that are added during the iteration.
  for (const key of changed) for (const dependent of dependents.get(key) ?? []) changed.add(dependent)
}

function segmentsOf({ clauses }: { readonly clauses?: readonly ClauseData[] | null }): string[] {
  return (clauses ?? []).flatMap(({ op, values }) => (op === 'segmentMatch' ? (values ?? []).map(String) : []))
}
