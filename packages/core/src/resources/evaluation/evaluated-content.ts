import {
  compileRuleset,
  type FlagData,
  type Ruleset,
  re2Pattern,
  removeFlag,
  removeSegment,
  replaceFlag,
  replaceSegment,
  type SegmentData,
} from '../../rules/evaluation/index.ts'
import { type LayeredMap, layeredMap } from '../../rules/evaluation/layered-map.ts'
import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import type { Environment } from '../environments/environment.ts'
import { configAt } from '../flags/config-at.ts'
import type { Segment } from '../segments/segment.ts'
import { segmentAt } from '../segments/segment-at.ts'
import type { EnvironmentContent, PlacedFlag } from './environment-content.ts'
import { flagDataOf } from './flag-data-of.ts'
import { type FlagLabels, labelsOf } from './flag-labels.ts'
import { segmentDataOf } from './segment-data-of.ts'

/** What an environment evaluates by at a moment. */
export interface EvaluatedContent {
  readonly environment: Environment
  readonly ruleset: Ruleset
  /** Of the flags that have some, by key. */
  readonly labels: LayeredMap<FlagLabels>
  /** The big segments, by key. */
  readonly bigSegments: ReadonlyMap<string, SegmentData>
  /** Flags and segments with targets that stop being some at a date; all others are needed no more. */
  readonly expiring: ReadonlyMap<string, Expiring>
  /** The first of their dates: integer ms, UTC; infinity where there is none. */
  readonly nextExpiry: number
}

interface Expiring {
  readonly at: number
  readonly change: ContentChange
}

/** Flags and segments as they are now; undefined for those that are no longer there. */
export interface ContentChange {
  readonly flags?: ReadonlyMap<string, PlacedFlag | undefined>
  readonly segments?: ReadonlyMap<string, Segment | undefined>
}

/** @param now integer ms, UTC: targets whose date has come by then are none. */
export function evaluatedContent({ environment, flags, segments }: EnvironmentContent, now: number): EvaluatedContent {
  const flagList = flags.map((placed) => flagAt(placed, now))
  const segmentList = segments.map((segment) => segmentDataOf(segmentAt(segment, momentOf(now))))
  const expiring = new Map<string, Expiring>()
  for (const placed of flags) noteFlag(expiring, placed.flag.key, placed, now)
  for (const segment of segments) noteSegment(expiring, segment.key, segment, now)
  return {
    environment,
    ruleset: compileRuleset({ flags: flagList, segments: segmentList, compilePattern: re2Pattern }),
    labels: layeredMap(
      new Map(
        flags.flatMap(({ flag }) => {
          const labels = labelsOf(flag)
          return labels ? [[flag.key, labels] as const] : []
        }),
      ),
    ),
    bigSegments: new Map(segmentList.flatMap((data) => (data.unbounded ? [[data.key, data]] : []))),
    expiring,
    nextExpiry: firstOf(expiring),
  }
}

/** The same with some flags and segments as they are now. */
export function changedContent(content: EvaluatedContent, change: ContentChange, now: number): EvaluatedContent {
  let { ruleset, labels } = content
  const expiring = new Map(content.expiring)
  const bigSegments = new Map(content.bigSegments)
  for (const [key, placed] of change.flags ?? []) {
    ruleset = placed ? replaceFlag(ruleset, flagAt(placed, now)) : removeFlag(ruleset, key)
    labels = labelled(labels, key, placed && labelsOf(placed.flag))
    noteFlag(expiring, key, placed, now)
  }
  for (const [key, segment] of change.segments ?? []) {
    const data = segment && segmentDataOf(segmentAt(segment, momentOf(now)))
    ruleset = data ? replaceSegment(ruleset, data) : removeSegment(ruleset, key)
    bigSegments.delete(key)
    if (data?.unbounded) bigSegments.set(key, data)
    noteSegment(expiring, key, segment, now)
  }
  return { ...content, ruleset, labels, bigSegments, expiring, nextExpiry: firstOf(expiring) }
}

/** The same at a later moment: targets whose date has come meanwhile are none. */
export function laterContent(content: EvaluatedContent, now: number): EvaluatedContent {
  const due = [...content.expiring.values()].filter(({ at }) => at <= now)
  return due.reduce((sum, { change }) => changedContent(sum, change, now), content)
}

function labelled(all: LayeredMap<FlagLabels>, key: string, labels: FlagLabels | undefined): LayeredMap<FlagLabels> {
  if (labels) return all.with(key, labels)
  return all.get(key) ? all.without(key) : all
}

function flagAt({ flag, config }: PlacedFlag, now: number): FlagData {
  return flagDataOf(flag, configAt(flag, config, momentOf(now)))
}

function momentOf(now: number) {
  return { hasCome: (at: number) => at <= now }
}

function noteFlag(expiring: Map<string, Expiring>, key: string, placed: PlacedFlag | undefined, now: number): void {
  note(expiring, `flag ${key}`, placed?.config.expiringTargets, { flags: new Map([[key, placed]]) }, now)
}

function noteSegment(expiring: Map<string, Expiring>, key: string, segment: Segment | undefined, now: number): void {
  note(expiring, `segment ${key}`, segment?.expiringTargets, { segments: new Map([[key, segment]]) }, now)
}

function note(
  expiring: Map<string, Expiring>,
  name: string,
  targets: readonly ExpiringTarget[] = [],
  change: ContentChange,
  now: number,
): void {
  const at = Math.min(...targets.map(({ expiresAt }) => expiresAt).filter((date) => date > now))
  if (at === Number.POSITIVE_INFINITY) expiring.delete(name)
  else expiring.set(name, { at, change })
}

function firstOf(expiring: ReadonlyMap<string, Expiring>): number {
  let first = Number.POSITIVE_INFINITY
  for (const { at } of expiring.values()) first = Math.min(first, at)
  return first
}
