import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { Reader } from '../../../storage/reader.ts'
import type { bigSides } from '../big/big-segment.ts'
import { type ImportKeys, stagedKeys } from './segment-import.ts'

type BigSet = (typeof bigSides)['included' | 'excluded']['set']

/** Keys that have come to a segment and do not count yet. */
export interface StagedKeys {
  /** How many there are, each counted once. */
  readonly count: number
  /** How many of them are not in a set of the segment. */
  outside(set: BigSet): Promise<number>
}

/** The keys that are stored already. */
export async function keysStored(tx: Reader, keys: ImportKeys): Promise<StagedKeys> {
  return {
    count: await tx.countKeys(stagedKeys, keys),
    outside: (set) => tx.countOthers(stagedKeys, keys, set, keys),
  }
}

/** Keys that are few enough to be held, and are stored by the commit that makes them count. */
export function keysHeld(tx: Reader, keys: SegmentKeys, held: ReadonlySet<string>): StagedKeys {
  return {
    count: held.size,
    outside: async (set) => held.size - (await tx.findKeys(set, keys, [...held])).length,
  }
}
