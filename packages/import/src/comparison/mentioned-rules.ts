import type { Clause } from '../conditions/clause.ts'
import type { MovedConfig, MovedFlag, MovedProject, MovedSegment } from '../moved-project.ts'

/** All rules that decide the value of a flag in one environment, with those of its segments and prerequisites. */
export interface Mentioned {
  /** The flag's own config, then those of its prerequisites. */
  readonly configs: readonly MovedConfig[]
  readonly segments: ReadonlyMap<string, MovedSegment>
}

/** Returns everything that the value of a flag depends on. */
export function mentionedBy(moved: MovedProject, flag: MovedFlag, environmentKey: string): Mentioned {
  const flags = new Map(moved.flags.map((one) => [one.key, one]))
  const known = new Map(
    moved.segments.filter((one) => one.environmentKey === environmentKey).map((one) => [one.key, one] as const),
  )
  const configs = reached(
    [flag.key],
    (key) => flags.get(key)?.configs[environmentKey],
    ({ prerequisites }) => prerequisites.map(({ key }) => key),
  )
  const asked = [...configs.values()].flatMap(({ rules }) => rules.flatMap(({ clauses }) => segmentsAsked(clauses)))
  const segments = reached(
    asked,
    (key) => known.get(key),
    ({ rules }) => rules.flatMap((rule) => segmentsAsked(rule.clauses)),
  )
  return { configs: [...configs.values()], segments }
}

/** Returns the keys of the segments that clauses refer to. */
export function segmentsAsked(clauses: readonly Clause[]): string[] {
  return clauses.flatMap(({ op, values }) => (op === 'segmentMatch' ? values.map(String) : []))
}

/** Returns everything that is reachable from some keys, each once. */
function reached<T>(
  from: readonly string[],
  find: (key: string) => T | undefined,
  next: (one: T) => readonly string[],
): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  const waiting = [...from]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const one = found.has(key) ? undefined : find(key)
    if (one === undefined) continue
    found.set(key, one)
    waiting.push(...next(one))
  }
  return found
}
