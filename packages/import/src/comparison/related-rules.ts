import type { Clause } from '../conditions/clause.ts'
import type { ImportedConfig, ImportedFlag, ImportedProject, ImportedSegment } from '../imported-project.ts'

/**
 * All rules that decide the value of a flag in one environment, including the rules of its segments and prerequisites.
 */
export interface RelatedRules {
  /** The config of the flag itself, then the configs of its prerequisites. */
  readonly configs: readonly ImportedConfig[]
  readonly segments: ReadonlyMap<string, ImportedSegment>
}

/** Returns everything that the value of a flag depends on. */
export function relatedRulesOf(
  importedProject: ImportedProject,
  flag: ImportedFlag,
  environmentKey: string,
): RelatedRules {
  const flags = new Map(importedProject.flags.map((item) => [item.key, item]))
  const segmentsByKey = new Map(
    importedProject.segments
      .filter((item) => item.environmentKey === environmentKey)
      .map((item) => [item.key, item] as const),
  )
  const configs = collectReachable(
    [flag.key],
    (key) => flags.get(key)?.configs[environmentKey],
    ({ prerequisites }) => prerequisites.map(({ key }) => key),
  )
  const segmentKeys = [...configs.values()].flatMap(({ rules }) =>
    rules.flatMap(({ clauses }) => segmentsInClauses(clauses)),
  )
  const segments = collectReachable(
    segmentKeys,
    (key) => segmentsByKey.get(key),
    ({ rules }) => rules.flatMap((rule) => segmentsInClauses(rule.clauses)),
  )
  return { configs: [...configs.values()], segments }
}

/** Returns the keys of the segments that clauses refer to. */
export function segmentsInClauses(clauses: readonly Clause[]): string[] {
  return clauses.flatMap(({ op, values }) => (op === 'segmentMatch' ? values.map(String) : []))
}

/** Returns everything that is reachable from some keys, each once. */
function collectReachable<T>(
  from: readonly string[],
  find: (key: string) => T | undefined,
  referencesOf: (item: T) => readonly string[],
): ReadonlyMap<string, T> {
  const reachable = new Map<string, T>()
  const pending = [...from]
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const item = reachable.has(key) ? undefined : find(key)
    if (item === undefined) continue
    reachable.set(key, item)
    pending.push(...referencesOf(item))
  }
  return reachable
}
