import { compileFlag } from './compiled-flag.ts'
import { CompiledOnDemand } from './compiled-on-demand.ts'
import { compileSegment } from './compiled-segment.ts'
import type { Ruleset } from './evaluation.ts'
import type { FlagData, SegmentData } from './flag-data.ts'
import { layeredMap } from './layered-map.ts'
import type { CompilePattern } from './safe-pattern.ts'

export type { Ruleset } from './evaluation.ts'

/**
 * Prepares the flags and segments of an environment for evaluation. It does not change the data; the caller must not
 * change them while the ruleset is used.
 *
 * A pattern of a clause runs on the built-in RegExp where its search is fast for the text. Where the search could be
 * slow (a pattern like `^(a+)+$`), the pattern is compiled by `compilePattern`; without `compilePattern` it does not
 * match.
 *
 * @param data `flags` and `segments` in the format that server-side SDKs receive; if several have the same key, the
 *   last is used. `compilePattern`: the engine for patterns that could be slow, e.g. `re2Pattern`. Default: no engine.
 *
 * @example
 * ```ts
 * import { compileRuleset, evaluate, re2Pattern } from '@halyard/core/evaluation'
 *
 * const isTester = { attribute: 'email', op: 'matches', values: ['^(qa-?)+@'] }
 * const flag = {
 *   key: 'checkout',
 *   on: true,
 *   variations: [true, false],
 *   rules: [{ clauses: [isTester], variation: 0 }],
 *   fallthrough: { variation: 1 },
 * }
 * const ruleset = compileRuleset({ flags: [flag], compilePattern: re2Pattern })
 * const { value } = evaluate(ruleset, 'checkout', { kind: 'user', key: 'ann', email: 'qa-@example.com' })
 * console.log(value) // true
 * ```
 */
export function compileRuleset(data: {
  readonly flags: Iterable<FlagData>
  readonly segments?: Iterable<SegmentData>
  readonly compilePattern?: CompilePattern
}): Ruleset {
  const { compilePattern } = data
  const flags = new Map(Array.from(data.flags, (flag) => [flag.key, flagOf(flag, compilePattern)] as const))
  const segments = new Map(
    Array.from(data.segments ?? [], (segment) => [segment.key, segmentOf(segment, compilePattern)] as const),
  )
  return Object.freeze({ flags: layeredMap(flags), segments: layeredMap(segments), compilePattern })
}

/** Returns a ruleset with one flag replaced; everything else is shared. */
export function replaceFlag(ruleset: Ruleset, flag: FlagData): Ruleset {
  return Object.freeze({
    ...ruleset,
    flags: ruleset.flags.with(flag.key, flagOf(flag, ruleset.compilePattern)),
  })
}

/** Returns a ruleset without a flag. */
export function removeFlag(ruleset: Ruleset, key: string): Ruleset {
  return Object.freeze({ ...ruleset, flags: ruleset.flags.without(key) })
}

/** Returns a ruleset with one segment replaced; everything else is shared. */
export function replaceSegment(ruleset: Ruleset, segment: SegmentData): Ruleset {
  return Object.freeze({
    ...ruleset,
    segments: ruleset.segments.with(segment.key, segmentOf(segment, ruleset.compilePattern)),
  })
}

/** Returns a ruleset without a segment. */
export function removeSegment(ruleset: Ruleset, key: string): Ruleset {
  return Object.freeze({ ...ruleset, segments: ruleset.segments.without(key) })
}

function flagOf(data: FlagData, compilePattern?: CompilePattern) {
  return new CompiledOnDemand(data, compileFlag, compilePattern)
}

function segmentOf(data: SegmentData, compilePattern?: CompilePattern) {
  return new CompiledOnDemand(data, compileSegment, compilePattern)
}
