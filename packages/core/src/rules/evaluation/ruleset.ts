import { compileFlag } from './compiled-flag.ts'
import { compileSegment } from './compiled-segment.ts'
import type { LazyFlag, LazySegment, Ruleset } from './evaluation.ts'
import type { FlagData, SegmentData } from './flag-data.ts'
import { layeredMap } from './layered-map.ts'
import { lazily } from './lazily.ts'

export type { Ruleset } from './evaluation.ts'

/**
 * Makes the flags and segments of an environment ready to be evaluated. The data are not changed, and must not be changed
 * as long as the ruleset is used.
 *
 * @param data as server-side SDKs are sent them; of equal keys the last counts.
 */
export function compileRuleset(data: {
  readonly flags: Iterable<FlagData>
  readonly segments?: Iterable<SegmentData>
}): Ruleset {
  const flags = new Map(Array.from(data.flags, (flag) => [flag.key, lazyFlag(flag)] as const))
  const segments = new Map(Array.from(data.segments ?? [], (segment) => [segment.key, lazySegment(segment)] as const))
  return Object.freeze({ flags: layeredMap(flags), segments: layeredMap(segments) })
}

/** The ruleset in which a flag is as it is now; everything else is shared. */
export function replaceFlag(ruleset: Ruleset, flag: FlagData): Ruleset {
  return Object.freeze({
    ...ruleset,
    flags: ruleset.flags.with(flag.key, lazyFlag(flag)),
  })
}

/** The ruleset without a flag. */
export function removeFlag(ruleset: Ruleset, key: string): Ruleset {
  return Object.freeze({ ...ruleset, flags: ruleset.flags.without(key) })
}

/** The ruleset in which a segment is as it is now; everything else is shared. */
export function replaceSegment(ruleset: Ruleset, segment: SegmentData): Ruleset {
  return Object.freeze({
    ...ruleset,
    segments: ruleset.segments.with(segment.key, lazySegment(segment)),
  })
}

/** The ruleset without a segment. */
export function removeSegment(ruleset: Ruleset, key: string): Ruleset {
  return Object.freeze({ ...ruleset, segments: ruleset.segments.without(key) })
}

function lazyFlag(data: FlagData): LazyFlag {
  return { data, get: lazily(() => compileFlag(data)).get }
}

function lazySegment(data: SegmentData): LazySegment {
  return { data, get: lazily(() => compileSegment(data)).get }
}
