import { type Environment, environments } from '../../models/environments/environment.ts'
import { type Flag, flags } from '../../models/flags/flag.ts'
import { defaultConfig, type FlagConfig, flagConfigs } from '../../models/flags/flag-config.ts'
import { type Segment, segments } from '../../models/segments/segment.ts'
import type { Reader } from '../../storage/reader.ts'

/** The keys that identify an environment. */
export interface EnvironmentKeys {
  readonly projectKey: string
  readonly environmentKey: string
}

/** A flag with its configuration in the environment. */
export interface PlacedFlag {
  readonly flag: Flag
  readonly config: FlagConfig
}

/** All documents on which evaluation in an environment depends. */
export interface EnvironmentContent {
  readonly environment: Environment
  /** Without archived flags, which SDKs do not receive. */
  readonly flags: readonly PlacedFlag[]
  readonly segments: readonly Segment[]
}

/** No limit, because pages would have gaps when a document is removed between two of them. */
const all = { limit: 2 ** 31 - 1 }

/** Reads an environment with its flags and segments. Returns undefined when it does not exist. */
export async function readContent(tx: Reader, keys: EnvironmentKeys): Promise<EnvironmentContent | undefined> {
  const [environment, flagList, configList, segmentList] = await Promise.all([
    tx.get(environments, keys),
    tx.list(flags, keys, all),
    tx.list(flagConfigs, keys, all),
    tx.list(segments, keys, all),
  ])
  if (!environment) return undefined
  const configs = new Map(configList.items.map((config, at) => [configList.keys[at], config]))
  return {
    environment,
    flags: flagList.items.flatMap((flag) => placed(flag, configs.get(flag.key), environment) ?? []),
    segments: segmentList.items,
  }
}

/** Reads some flags, in the order of their keys. Returns undefined for flags that do not exist or are archived. */
export async function readFlags(
  tx: Reader,
  keys: EnvironmentKeys,
  flagKeys: readonly string[],
  environment: Environment,
): Promise<(PlacedFlag | undefined)[]> {
  const places = flagKeys.map((flagKey) => ({ ...keys, flagKey }))
  const [found, configs] = await Promise.all([tx.getMany(flags, places), tx.getMany(flagConfigs, places)])
  return found.map((flag, at) => flag && placed(flag, configs[at], environment))
}

/** Reads some segments, in the order of their keys. Returns undefined for segments that do not exist. */
export function readSegments(
  tx: Reader,
  keys: EnvironmentKeys,
  segmentKeys: readonly string[],
): Promise<(Segment | undefined)[]> {
  return tx.getMany(
    segments,
    segmentKeys.map((segmentKey) => ({ ...keys, segmentKey })),
  )
}

function placed(flag: Flag, config: FlagConfig | undefined, environment: Environment): PlacedFlag | undefined {
  return flag.archived ? undefined : { flag, config: config ?? defaultConfig(flag, environment) }
}
