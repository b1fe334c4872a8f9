import type { Environment } from '../../models/environments/environment.ts'
import type { Segment } from '../../models/segments/segment.ts'
import type { Host } from '../../operation/context.ts'
import { inTurns } from '../../operation/in-turns.ts'
import {
  compileRuleset,
  type FlagData,
  type Ruleset,
  removeFlag,
  removeSegment,
  replaceFlag,
  replaceSegment,
  type SegmentData,
} from '../../rules/evaluation/index.ts'
import { type LayeredMap, layeredMap } from '../../rules/evaluation/layered-map.ts'
import type { ExpiringTarget } from '../../rules/expiring-targets/expiring-targets.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { configAt } from '../flags/config-at.ts'
import { segmentAt } from '../segments/segment-at.ts'
import type { EnvironmentContent, FlagWithConfig } from './environment-content.ts'
import { flagDataOf } from './flag-data-of.ts'
import { type FlagLabels, labelsOf } from './flag-labels.ts'
import { segmentDataOf } from './segment-data-of.ts'
import type { ServedFlags } from './served-content.ts'

/** Compiled content of an environment, ready for evaluation at a given time. */
export interface EvaluatedContent {
  readonly environment: Environment
  readonly ruleset: Ruleset
  /**
   * Documents that are served as flags. The ruleset does not contain a document whose key is also the key of a flag,
   * which earlier versions allowed.
   */
  readonly served: ServedFlags
  /** Labels by key, for flags that have some. */
  readonly labels: LayeredMap<FlagLabels>
  /** The big segments by key. */
  readonly bigSegments: ReadonlyMap<string, SegmentData>
  /** Flags and segments with targets that expire. Only these must be compiled again when time passes. */
  readonly expiring: ReadonlyMap<string, Expiry>
  /** The earliest expiry date: integer ms, UTC; infinity when nothing expires. */
  readonly nextExpiry: number
}

interface Expiry {
  readonly time: number
  readonly change: ContentChange
}

/** Flags and segments in their new state; undefined for those that no longer exist. */
export interface ContentChange {
  readonly flags?: ReadonlyMap<string, FlagWithConfig | undefined>
  readonly segments?: ReadonlyMap<string, Segment | undefined>
  /** All documents that are served as flags. Default: the documents of the previous content. */
  readonly served?: ServedFlags
}

/**
 * Prepares the documents of an environment for evaluation, in several turns of the event loop: see `inTurns`. Flags are
 * compiled at their first evaluation.
 *
 * @param now integer ms, UTC. Targets that have expired at this time are omitted.
 * @param served documents that are served as flags.
 */
export async function evaluatedContent(
  { environment, flags, segments }: EnvironmentContent,
  host: Pick<Host, 'nextTurn'>,
  now: number,
  served: ServedFlags = new Map(),
): Promise<EvaluatedContent> {
  const expiring = new Map<string, Expiry>()
  const flagData = new Map<string, FlagData>()
  const labels = new Map<string, FlagLabels>()
  await inTurns(flags, host, (flagWithConfig) => {
    const { flag } = flagWithConfig
    flagData.set(flag.key, flagAt(flagWithConfig, now))
    const ownLabels = labelsOf(flag)
    if (ownLabels) labels.set(flag.key, ownLabels)
    setFlagExpiry(expiring, { key: flag.key, flagWithConfig }, now)
  })
  for (const data of served.values()) if (!flagData.has(data.key)) flagData.set(data.key, data)
  const segmentData: SegmentData[] = []
  await inTurns(segments, host, (segment) => {
    segmentData.push(segmentDataOf(segmentAt(segment, clockAt(now))))
    setSegmentExpiry(expiring, { key: segment.key, segment }, now)
  })
  // The module is imported at the first use, because it would be a fifth of the code that core imports.
  const { re2Pattern } = await import('../../rules/evaluation/re2-pattern.ts')
  return {
    environment,
    ruleset: compileRuleset({ flags: flagData.values(), segments: segmentData, compilePattern: re2Pattern }),
    served,
    labels: layeredMap(labels),
    bigSegments: new Map(segmentData.flatMap((data) => (data.unbounded ? [[data.key, data]] : []))),
    expiring,
    nextExpiry: firstExpiry(expiring),
  }
}

/**
 * Compiles all flags and segments, and lets other work run in between. Otherwise the first evaluation of all flags
 * would compile them in one step.
 */
export async function compileInTurns({ flags, segments }: Ruleset, host: Pick<Host, 'nextTurn'>): Promise<void> {
  await inTurns(segments.entries(), host, ([, segment]) => void segment.get())
  await inTurns(flags.entries(), host, ([, flag]) => void flag.get())
}

/** Returns the content with some flags and segments replaced. */
export function changedContent(content: EvaluatedContent, change: ContentChange, now: number): EvaluatedContent {
  let { ruleset, labels } = content
  const expiring = new Map(content.expiring)
  const bigSegments = new Map(content.bigSegments)
  const served = change.served ? withUnchanged(change.served, content.served) : content.served
  for (const key of changedServedKeys(content.served, served)) {
    if (ruleset.flags.get(key) && !isServed(content, key)) continue
    const data = served.get(key)
    ruleset = data ? replaceFlag(ruleset, data) : removeFlag(ruleset, key)
  }
  for (const [key, flagWithConfig] of change.flags ?? []) {
    const data = flagWithConfig ? flagAt(flagWithConfig, now) : served.get(key)
    ruleset = data ? replaceFlag(ruleset, data) : removeFlag(ruleset, key)
    labels = withLabels(labels, key, flagWithConfig && labelsOf(flagWithConfig.flag))
    setFlagExpiry(expiring, { key, flagWithConfig }, now)
  }
  for (const [key, segment] of change.segments ?? []) {
    const data = segment && segmentDataOf(segmentAt(segment, clockAt(now)))
    ruleset = data ? replaceSegment(ruleset, data) : removeSegment(ruleset, key)
    bigSegments.delete(key)
    if (data?.unbounded) bigSegments.set(key, data)
    setSegmentExpiry(expiring, { key, segment }, now)
  }
  return { ...content, ruleset, served, labels, bigSegments, expiring, nextExpiry: firstExpiry(expiring) }
}

/** Returns true if a key of the ruleset belongs to a document that is served as a flag, and not to a flag. */
export function isServed({ ruleset, served }: EvaluatedContent, key: string): boolean {
  const data = served.get(key)
  return data !== undefined && ruleset.flags.get(key)?.data === data
}

/**
 * Returns the keys of the documents that differ between two maps. The later map must contain the objects of the earlier
 * one for unchanged documents.
 */
export function changedServedKeys(before: ServedFlags, after: ServedFlags): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key))
}

/** Returns documents that were read again. Documents that have not changed are the same objects as before. */
function withUnchanged(read: ServedFlags, before: ServedFlags): ServedFlags {
  return new Map(
    Array.from(read, ([key, data]) => {
      const earlier = before.get(key)
      return [key, earlier && jsonEqual(earlier, data) ? earlier : data]
    }),
  )
}

/** Returns the content at a later time, without the targets that have expired since. */
export function contentAfterExpiry(content: EvaluatedContent, now: number): EvaluatedContent {
  const due = [...content.expiring.values()].filter(({ time }) => time <= now)
  return due.reduce((sum, { change }) => changedContent(sum, change, now), content)
}

function withLabels(all: LayeredMap<FlagLabels>, key: string, labels: FlagLabels | undefined): LayeredMap<FlagLabels> {
  if (labels) return all.with(key, labels)
  return all.get(key) ? all.without(key) : all
}

function flagAt({ flag, config }: FlagWithConfig, now: number): FlagData {
  return flagDataOf(flag, configAt(flag, config, clockAt(now)))
}

function clockAt(now: number) {
  return { hasCome: (time: number) => time <= now }
}

/** The key of a flag, and its new state; undefined when it was deleted. */
interface KeyedFlag {
  readonly key: string
  readonly flagWithConfig: FlagWithConfig | undefined
}

function setFlagExpiry(expiring: Map<string, Expiry>, { key, flagWithConfig }: KeyedFlag, now: number): void {
  setExpiry(
    expiring,
    {
      name: `flag ${key}`,
      targets: flagWithConfig?.config.expiringTargets,
      change: { flags: new Map([[key, flagWithConfig]]) },
    },
    now,
  )
}

/** The key of a segment, and its new state; undefined when it was deleted. */
interface KeyedSegment {
  readonly key: string
  readonly segment: Segment | undefined
}

function setSegmentExpiry(expiring: Map<string, Expiry>, { key, segment }: KeyedSegment, now: number): void {
  setExpiry(
    expiring,
    { name: `segment ${key}`, targets: segment?.expiringTargets, change: { segments: new Map([[key, segment]]) } },
    now,
  )
}

/** A flag or segment, its expiring targets, and the change when one of them expires. */
interface ExpiringPart {
  readonly name: string
  readonly targets?: readonly ExpiringTarget[]
  readonly change: ContentChange
}

function setExpiry(expiring: Map<string, Expiry>, { name, targets = [], change }: ExpiringPart, now: number): void {
  const time = Math.min(...targets.map(({ expiresAt }) => expiresAt).filter((date) => date > now))
  if (time === Number.POSITIVE_INFINITY) expiring.delete(name)
  else expiring.set(name, { time, change })
}

function firstExpiry(expiring: ReadonlyMap<string, Expiry>): number {
  let earliest = Number.POSITIVE_INFINITY
  for (const { time } of expiring.values()) earliest = Math.min(earliest, time)
  return earliest
}
