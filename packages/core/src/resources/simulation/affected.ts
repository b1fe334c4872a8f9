import { namedBy } from '../../models/segments/segment.ts'
import type { ComparedEnvironment, Side } from './compared-environment.ts'

/** Keys of flags and segments. */
export interface Affected {
  readonly flags: ReadonlySet<string>
  readonly segments: ReadonlySet<string>
}

/**
 * Returns all flags and segments that depend on some flags and segments, before or after a change: flags with one of
 * them as a prerequisite or in a rule, segments with one of them in a rule, and so on.
 *
 * @returns also the given ones.
 */
export function affectedBy({ before, after }: ComparedEnvironment, given: Affected): Affected {
  const waiting = { flag: reversed(before, after, prerequisitesOf), segment: reversed(before, after, segmentsOf) }
  const naming = new Map<string, string[]>()
  for (const side of [before, after]) {
    for (const [key, { rules }] of side.segments) {
      for (const named of namedBy(rules)) naming.set(named, [...(naming.get(named) ?? []), key])
    }
  }
  const segments = closure(given.segments, (key) => naming.get(key) ?? [])
  const asking = [...segments].flatMap((key) => waiting.segment.get(key) ?? [])
  const flags = closure(new Set([...given.flags, ...asking]), (key) => waiting.flag.get(key) ?? [])
  return { flags, segments }
}

/** Returns the segments that a flag uses on one side, directly and through other segments. */
export function segmentsBehind({ flags, segments }: Side, flagKey: string): ReadonlySet<string> {
  const placed = flags.get(flagKey)
  const direct = new Set(placed ? namedBy(placed.config.rules) : [])
  return closure(direct, (key) => namedBy(segments.get(key)?.rules ?? []))
}

type Named = (side: Side, flagKey: string) => readonly string[]

const prerequisitesOf: Named = ({ flags }, key) => flags.get(key)?.config.prerequisites.map((one) => one.key) ?? []
const segmentsOf: Named = ({ flags }, key) => namedBy(flags.get(key)?.config.rules ?? [])

/** Returns the keys of the flags on either side by what they refer to. */
function reversed(before: Side, after: Side, namedOn: Named): ReadonlyMap<string, readonly string[]> {
  const waiting = new Map<string, string[]>()
  for (const side of [before, after]) {
    for (const key of side.flags.keys()) {
      for (const named of namedOn(side, key)) {
        const known = waiting.get(named)
        if (known) known.push(key)
        else waiting.set(named, [key])
      }
    }
  }
  return waiting
}

function closure(given: ReadonlySet<string>, next: (key: string) => readonly string[]): Set<string> {
  const found = new Set(given)
  // Iteration over a set includes keys that are added during it.
  for (const key of found) for (const one of next(key)) found.add(one)
  return found
}
