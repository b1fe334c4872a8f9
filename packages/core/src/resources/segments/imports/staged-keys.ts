import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { bigSides } from '../big/big-segment.ts'
import { type ImportKeys, stagedKeys } from './segment-import.ts'

type BigSet = (typeof bigSides)['included' | 'excluded']['set']

/** Keys that were received for a segment but do not belong to it yet. */
export interface StagedKeys {
  /** Number of distinct keys. */
  readonly count: number
  /** Returns how many of the keys are not in a set of the segment. */
  countOutside(set: BigSet): Promise<number>
}

/** Returns the staged keys that are stored. */
export async function storedStagedKeys(tx: Reader, keys: ImportKeys): Promise<StagedKeys> {
  return {
    count: await tx.countKeys(stagedKeys, keys),
    countOutside: (set) => tx.countOthers(stagedKeys, keys, set, keys),
  }
}

/**
 * Returns staged keys that are buffered in memory, because they are few. The commit that adds them to the segment
 * stores them.
 */
export function bufferedStagedKeys(tx: Reader, keys: SegmentKeys, buffer: ReadonlySet<string>): StagedKeys {
  return {
    count: buffer.size,
    countOutside: async (set) => buffer.size - (await tx.findKeys(set, keys, [...buffer])).length,
  }
}
