import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { Host } from '../../../operation/context.ts'
import { documents, type Versioned } from '../../../storage/collection.ts'
import type { Reader } from '../../../storage/reader.ts'

/** Lock of the running import in an environment. Only one import runs at a time. */
export interface ImportTurn extends Versioned {
  readonly importId: string
  readonly segmentKey: string
  /** Time of the last progress, integer ms. */
  readonly touchedAt: number
}

/** One document in each environment. */
export const importTurns = documents<ImportTurn>()({
  name: 'segment-import-turn',
  address: 'proj/{projectKey}:env/{environmentKey}:segment-import-turn/{turn}',
})

export function turnOf({ projectKey, environmentKey }: Omit<SegmentKeys, 'segmentKey'>) {
  return { projectKey, environmentKey, turn: 'only' }
}

/**
 * Time without progress after which a lock counts as released, because the process or the caller of the import is gone.
 */
const patienceMs = 10 * 60 * 1000

/** Tests whether the import of a lock is still running. */
export function isLive(turn: ImportTurn | undefined, { now }: Pick<Host, 'now'>): turn is ImportTurn {
  return turn !== undefined && now() - turn.touchedAt < patienceMs
}

/** Tests whether an import into a segment is running. */
export async function isImporting(
  { tx, host }: { readonly tx: Reader; readonly host: Host },
  keys: SegmentKeys,
): Promise<boolean> {
  const turn = await tx.get(importTurns, turnOf(keys))
  return isLive(turn, host) && turn.segmentKey === keys.segmentKey
}
