import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { FlagData } from '../../rules/evaluation/index.ts'
import type { TouchedRecords } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

/**
 * Reads documents that are not flags, but that SDKs receive as flags, such as AI configs. An evaluator reads all of
 * them again after a change of one.
 */
export interface ServedContent {
  /** Returns the documents of an environment as flags, by key. */
  read(tx: Reader, keys: EnvironmentKeys): Promise<ServedFlags>
  /** Makes a function that returns true for changes that affect the result of `read`. */
  affectedBy(keys: EnvironmentKeys): (touched: TouchedRecords) => boolean
}

/** Documents as flags, by key. */
export type ServedFlags = ReadonlyMap<string, FlagData>

/** The content of engines that serve only flags. */
export const onlyFlags: ServedContent = {
  read: async () => new Map(),
  affectedBy: () => () => false,
}
