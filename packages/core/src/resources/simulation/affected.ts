import { namedBy } from '../../models/segments/segment.ts'
import type { ComparedEnvironment, Side } from './compared-environment.ts'

/** Keys of flags and segments. */
export interface Affected {
  readonly flags: ReadonlySet<string>
  readonly segments: ReadonlySet<string>
}

/**
 * What hangs on some flags and segments, before a change or after it: flags that have one of them as prerequisite or ask
 * for one of them, segments that ask for one of them, and so on.
 *
 * @returns what was given, too.
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

/** The segments that a flag asks for on one side, itself and by way of others. */
export function segmentsBehind({ flags, segments }: Side, flagKey: string): ReadonlySet<string> {
  const placed = flags.get(flagKey)
  const direct = new Set(placed ? namedBy(placed.config.rules) : [])
  return closure(direct, (key) => namedBy(segments.get(key)?.rules ?? []))
}

type Named = (side: Side, flagKey: string) => readonly string[]

const prerequisitesOf: Named = ({ flags }, key) => flags.get(key)?.config.prerequisites.map((one) => one.key) ?? []
const segmentsOf: Named = ({ flags }, key) => namedBy(flags.get(key)?.config.rules ?? [])

/** By what they name, the flags that do so on either side. */
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
  // A set goes on to what is added to it while it is walked.
  for (const key of found) for (const one of next(key)) found.add(one)
  return found
}
