import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { Host } from '../../../operation/context.ts'
import { documents, type Versioned } from '../../../storage/collection.ts'
import type { Reader } from '../../../storage/reader.ts'

/** The import that is under way in an environment; there is one at a time. */
export interface ImportTurn extends Versioned {
  readonly importId: string
  readonly segmentKey: string
  /** When it last got on, integer ms. */
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

/** An import that has not got on for so long is given up: its process is gone, or its caller. */
const patienceMs = 10 * 60 * 1000

/** Whether an import is still under way. */
export function isLive(turn: ImportTurn | undefined, { now }: Pick<Host, 'now'>): turn is ImportTurn {
  return turn !== undefined && now() - turn.touchedAt < patienceMs
}

/** Whether keys of a segment are coming in. */
export async function isImporting(
  { tx, host }: { readonly tx: Reader; readonly host: Host },
  keys: SegmentKeys,
): Promise<boolean> {
  const turn = await tx.get(importTurns, turnOf(keys))
  return isLive(turn, host) && turn.segmentKey === keys.segmentKey
}
