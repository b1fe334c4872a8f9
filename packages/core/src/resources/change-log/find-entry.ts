import { changeLog } from '../../operation/change-log/change-log.ts'
import type { Sample } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

/** Finds an entry of the change log by its time and id. Returns undefined when the entry does not exist. */
export async function findEntry(
  tx: Pick<Reader, 'newest'>,
  position: Pick<Sample, 'at' | 'id'>,
): Promise<Sample | undefined> {
  // Reads the newest entry before the position directly after the requested entry.
  const before = { at: position.at, id: `${position.id}\u0001` }
  const [entry] = await tx.newest(changeLog, {}, { limit: 1, before })
  return entry?.id === position.id && entry.at === position.at ? entry : undefined
}
