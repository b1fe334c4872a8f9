import type { Clause } from '../conditions/clause.ts'
import type { MovedConfig, MovedFlag, MovedProject, MovedSegment } from '../moved-project.ts'

/** All that decides what a flag is in one environment, with the segments and prerequisites that it asks for. */
export interface Mentioned {
  /** The flag's own, and then those of its prerequisites. */
  readonly configs: readonly MovedConfig[]
  readonly segments: ReadonlyMap<string, MovedSegment>
}

/** Looks up everything that a flag stands on. */
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

/** The segments that clauses ask for. */
export function segmentsAsked(clauses: readonly Clause[]): string[] {
  return clauses.flatMap(({ op, values }) => (op === 'segmentMatch' ? values.map(String) : []))
}

/** Everything that some keys lead to, each once. */
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
