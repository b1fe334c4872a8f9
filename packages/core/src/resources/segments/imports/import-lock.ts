import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { Host } from '../../../operation/context.ts'
import { documents, type Versioned } from '../../../storage/collection.ts'
import type { Reader } from '../../../storage/reader.ts'

/** Lock of the running import in an environment. Only one import runs at a time. */
export interface ImportLock extends Versioned {
  readonly importId: string
  readonly segmentKey: string
  /** Time of the last progress, integer ms. */
  readonly touchedAt: number
}

/** One document in each environment. */
export const importLocks = documents<ImportLock>()({
  name: 'segment-import-turn',
  address: 'proj/{projectKey}:env/{environmentKey}:segment-import-turn/{turn}',
})

export function importLockKeys({ projectKey, environmentKey }: Omit<SegmentKeys, 'segmentKey'>) {
  return { projectKey, environmentKey, turn: 'only' }
}

/**
 * Time without progress after which a lock counts as released, because the process or the caller of the import is gone.
 */
const lockTimeoutMs = 10 * 60 * 1000

/** Tests whether the import of a lock is still running. */
export function isLocked(lock: ImportLock | undefined, { now }: Pick<Host, 'now'>): lock is ImportLock {
  return lock !== undefined && now() - lock.touchedAt < lockTimeoutMs
}

/** Tests whether an import into a segment is running. */
export async function isImporting(
  { tx, host }: { readonly tx: Reader; readonly host: Host },
  keys: SegmentKeys,
): Promise<boolean> {
  const lock = await tx.get(importLocks, importLockKeys(keys))
  return isLocked(lock, host) && lock.segmentKey === keys.segmentKey
}
