import { type AIConfig, aiConfigs } from '../../models/ai-configs/ai-config.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Segment } from '../../models/segments/segment.ts'
import type { Host } from '../../operation/context.ts'
import type { BigSegmentLookup, EvaluationContext } from '../../rules/evaluation/index.ts'
import type { OverlayStorage } from '../../storage/overlay-storage.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { type Reader, StorageReader } from '../../storage/reader.ts'
import { touchedBy } from '../../storage/touched-records.ts'
import { bigSegmentLists, keysOfContexts } from '../evaluation/big-segment-lists.ts'
import {
  type EnvironmentContent,
  type FlagWithConfig,
  readContent,
  readFlags,
  readSegments,
} from '../evaluation/environment-content.ts'
import { changedContent, type EvaluatedContent, evaluatedContent } from '../evaluation/evaluated-content.ts'
import { outdatedPartFinder } from '../evaluation/outdated-content.ts'
import type { ServedContent, ServedFlags } from '../evaluation/served-content.ts'

/** An environment before or after a change. */
export interface Side {
  readonly flags: ReadonlyMap<string, FlagWithConfig>
  readonly segments: ReadonlyMap<string, Segment>
  /** The AI configs of the project. Their values and targeting are part of `content.served`. */
  readonly aiConfigs: ReadonlyMap<string, AIConfig>
  readonly content: EvaluatedContent
  /** Memberships of the simulated contexts in big segments. */
  readonly bigSegments: BigSegmentLookup
}

export interface ComparedEnvironment {
  readonly before: Side
  readonly after: Side
}

/** An environment, and the contexts for which it is compared. */
export interface EnvironmentContexts {
  readonly keys: EnvironmentKeys
  readonly contexts: readonly EvaluationContext[]
}

/**
 * Reads an environment as it is stored, and as it would be after changes that are not committed.
 *
 * @param served AI configs and agent graphs, as the engine serves them.
 * @param host has the clock: targets that have expired are omitted.
 * @returns undefined when the environment does not exist.
 */
export async function compareEnvironment(
  stored: AccountStorage,
  { changes, after }: Pick<OverlayStorage, 'changes' | 'after'>,
  { keys, contexts }: EnvironmentContexts,
  { served, host }: { readonly served: ServedContent; readonly host: Host },
): Promise<ComparedEnvironment | undefined> {
  const [tx, txAfter] = [new StorageReader(stored), new StorageReader({ ...stored, ...after })]
  const content = await readContent(tx, keys)
  if (!content) return undefined
  const [touched, servedBefore, servedAfter] = await Promise.all([
    touchedContent(txAfter, changes, keys, content),
    served.read(tx, keys),
    served.read(txAfter, keys),
  ])
  const now = host.now()
  const before = await evaluatedContent(content, host, now, servedBefore)
  const flags = new Map(content.flags.map((flagWithConfig) => [flagWithConfig.flag.key, flagWithConfig]))
  const segments = new Map(content.segments.map((segment) => [segment.key, segment]))
  const contextKeys = keysOfContexts(contexts)
  const contentAfter = changedContent(before, { ...touched, served: servedAfter }, now)
  return {
    before: {
      flags,
      segments,
      aiConfigs: await readAIConfigs(tx, keys, servedBefore),
      content: before,
      bigSegments: await bigSegmentLists(tx, keys, contextKeys, before),
    },
    after: {
      flags: applyChanges(flags, touched.flags),
      segments: applyChanges(segments, touched.segments),
      aiConfigs: await readAIConfigs(txAfter, keys, servedAfter),
      content: contentAfter,
      bigSegments: await bigSegmentLists(txAfter, keys, contextKeys, contentAfter),
    },
  }
}

/** Reads the AI configs that are served. Agent graphs are served too, but have no AI config. */
async function readAIConfigs(
  tx: Reader,
  { projectKey }: EnvironmentKeys,
  served: ServedFlags,
): Promise<ReadonlyMap<string, AIConfig>> {
  const keysList = Array.from(served.keys(), (configKey) => ({ projectKey, configKey }))
  const configs = await tx.getMany(aiConfigs, keysList)
  return new Map(configs.flatMap((config) => (config ? [[config.key, config] as const] : [])))
}

/** Reads the flags and segments of the environment that the changes affect, in their new state. */
async function touchedContent(
  tx: Reader,
  changes: OverlayStorage['changes'],
  keys: EnvironmentKeys,
  { environment }: EnvironmentContent,
) {
  const outdatedPartOf = outdatedPartFinder(keys)
  const changedKeys = { flag: new Set<string>(), segment: new Set<string>() }
  for (const change of touchedBy(changes)) {
    const part = outdatedPartOf(change)
    if (part && 'key' in part) changedKeys[part.part].add(part.key)
  }
  const [flagKeys, segmentKeys] = [[...changedKeys.flag], [...changedKeys.segment]]
  const [flags, segments] = await Promise.all([
    readFlags(tx, keys, flagKeys, environment),
    readSegments(tx, keys, segmentKeys),
  ])
  return {
    flags: new Map(flagKeys.map((key, index) => [key, flags[index]])),
    segments: new Map(segmentKeys.map((key, index) => [key, segments[index]])),
  }
}

/** Returns the map with some entries replaced, or removed when the new value is undefined. */
function applyChanges<V>(
  map: ReadonlyMap<string, V>,
  changes: ReadonlyMap<string, V | undefined>,
): ReadonlyMap<string, V> {
  const result = new Map(map)
  for (const [key, value] of changes) {
    if (value === undefined) result.delete(key)
    else result.set(key, value)
  }
  return result
}
