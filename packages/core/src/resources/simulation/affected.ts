import { referencedSegments } from '../../models/segments/segment.ts'
import type { ComparedEnvironment, Side } from './compared-environment.ts'

/** Keys of flags, segments and AI configs. */
export interface AffectedKeys {
  readonly flags: ReadonlySet<string>
  readonly segments: ReadonlySet<string>
  readonly aiConfigs: ReadonlySet<string>
}

/**
 * Returns all flags, segments and AI configs that depend on the flags and segments of the input, before or after a
 * change: flags with one of them as a prerequisite or in a rule, segments and AI configs with one of them in a rule,
 * and so on.
 *
 * @returns includes the flags and segments of the input.
 */
export function affectedBy(
  { before, after }: ComparedEnvironment,
  start: Pick<AffectedKeys, 'flags' | 'segments'>,
): AffectedKeys {
  const dependents = {
    flag: dependentsByReference(before, after, prerequisitesOf),
    segment: dependentsByReference(before, after, segmentsOf),
  }
  const dependentSegments = new Map<string, string[]>()
  for (const side of [before, after]) {
    for (const [key, { rules }] of side.segments) {
      for (const referenced of referencedSegments(rules))
        dependentSegments.set(referenced, [...(dependentSegments.get(referenced) ?? []), key])
    }
  }
  const segments = closure(start.segments, (key) => dependentSegments.get(key) ?? [])
  const dependentFlags = [...segments].flatMap((key) => dependents.segment.get(key) ?? [])
  const flags = closure(new Set([...start.flags, ...dependentFlags]), (key) => dependents.flag.get(key) ?? [])
  const aiConfigs = [before, after].flatMap((side) =>
    [...side.aiConfigs.keys()].filter((key) => segmentsInRules(side, key).some((segment) => segments.has(segment))),
  )
  return { flags, segments, aiConfigs: new Set(aiConfigs) }
}

/** Returns the segments that a flag or an AI config uses on one side, directly and through other segments. */
export function segmentsUsedBy(side: Side, key: string): ReadonlySet<string> {
  const direct = new Set(side.flags.has(key) ? segmentsOf(side, key) : segmentsInRules(side, key))
  return closure(direct, (segmentKey) => referencedSegments(side.segments.get(segmentKey)?.rules ?? []))
}

/** Returns the segments in the rules of an AI config. */
function segmentsInRules({ content }: Side, configKey: string): readonly string[] {
  const clauses = (content.served.get(configKey)?.rules ?? []).flatMap((rule) => rule.clauses ?? [])
  return clauses.flatMap(({ op, values }) => (op === 'segmentMatch' ? (values ?? []).map(String) : []))
}

type ReferencesOf = (side: Side, flagKey: string) => readonly string[]

const prerequisitesOf: ReferencesOf = ({ flags }, key) =>
  flags.get(key)?.config.prerequisites.map((prerequisite) => prerequisite.key) ?? []
const segmentsOf: ReferencesOf = ({ flags }, key) => referencedSegments(flags.get(key)?.config.rules ?? [])

/** Returns the keys of flags before or after the change, grouped by the resource that they refer to. */
function dependentsByReference(
  before: Side,
  after: Side,
  referencesOf: ReferencesOf,
): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>()
  for (const side of [before, after]) {
    for (const key of side.flags.keys()) {
      for (const referenced of referencesOf(side, key)) {
        const keys = dependents.get(referenced)
        if (keys) keys.push(key)
        else dependents.set(referenced, [key])
      }
    }
  }
  return dependents
}

function closure(start: ReadonlySet<string>, next: (key: string) => readonly string[]): Set<string> {
  const reached = new Set(start)
  // Iteration over a set includes keys that are added during it.
  for (const key of reached) for (const prerequisite of next(key)) reached.add(prerequisite)
  return reached
}
