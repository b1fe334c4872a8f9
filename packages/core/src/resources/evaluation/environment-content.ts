import { type Environment, environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { type Flag, flags } from '../../models/flags/flag.ts'
import { defaultConfig, type FlagConfig, flagConfigs } from '../../models/flags/flag-config.ts'
import { type Segment, type SegmentKeys, segments } from '../../models/segments/segment.ts'
import type { Reader } from '../../storage/reader.ts'
import { withListedKeys } from './listed-keys.ts'

/** A flag with its configuration in the environment. */
export interface FlagWithConfig {
  readonly flag: Flag
  readonly config: FlagConfig
}

/** All documents on which evaluation in an environment depends. */
export interface EnvironmentContent {
  readonly environment: Environment
  /** The flags, without archived ones, because SDKs do not receive them. */
  readonly flags: readonly FlagWithConfig[]
  /** Segments, including the keys of grown segments: see `withListedKeys`. */
  readonly segments: readonly Segment[]
}

/** No limit, because pages would have gaps when a document is removed between the reads of two pages. */
const noLimit = { limit: 2 ** 31 - 1 }

/** Reads an environment with its flags and segments. Returns undefined when it does not exist. */
export async function readContent(tx: Reader, keys: EnvironmentKeys): Promise<EnvironmentContent | undefined> {
  const [environment, flagList, configList, segmentList] = await Promise.all([
    tx.get(environments, keys),
    tx.list(flags, keys, noLimit),
    tx.list(flagConfigs, keys, noLimit),
    tx.list(segments, keys, noLimit),
  ])
  if (!environment) return undefined
  const listedSegments = await Promise.all(
    segmentList.items.map((segment) => withListedKeys(tx, { ...keys, segmentKey: segment.key }, segment)),
  )
  const configs = new Map(configList.items.map((config, index) => [configList.keys[index], config]))
  return {
    environment,
    flags: flagList.items.flatMap((flag) => withConfig(flag, configs.get(flag.key), environment) ?? []),
    segments: listedSegments.filter((segment) => segment !== undefined),
  }
}

/** Reads some flags, in the order of their keys. Returns undefined for flags that do not exist or are archived. */
export async function readFlags(
  tx: Reader,
  keys: EnvironmentKeys,
  flagKeys: readonly string[],
  environment: Environment,
): Promise<(FlagWithConfig | undefined)[]> {
  const keysList = flagKeys.map((flagKey) => ({ ...keys, flagKey }))
  const [storedFlags, configs] = await Promise.all([tx.getMany(flags, keysList), tx.getMany(flagConfigs, keysList)])
  return storedFlags.map((flag, index) => flag && withConfig(flag, configs[index], environment))
}

/** Reads some segments, in the order of their keys. Returns undefined for segments that do not exist. */
export async function readSegments(
  tx: Reader,
  keys: EnvironmentKeys,
  segmentKeys: readonly string[],
): Promise<(Segment | undefined)[]> {
  const keysList = segmentKeys.map((segmentKey) => ({ ...keys, segmentKey }))
  const stored = await tx.getMany(segments, keysList)
  return Promise.all(
    stored.map((segment, index) => segment && withListedKeys(tx, keysList[index] as SegmentKeys, segment)),
  )
}

function withConfig(flag: Flag, config: FlagConfig | undefined, environment: Environment): FlagWithConfig | undefined {
  return flag.archived ? undefined : { flag, config: config ?? defaultConfig(flag, environment) }
}
