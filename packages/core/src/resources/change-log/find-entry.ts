import { changeLog } from '../../operation/change-log/change-log.ts'
import type { Sample } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

/** An entry of the change log by what its id says; undefined where there is none. */
export async function findEntry(
  tx: Pick<Reader, 'newest'>,
  asked: Pick<Sample, 'at' | 'id'>,
): Promise<Sample | undefined> {
  // The newest entry that is older than one right behind the one asked for.
  const before = { at: asked.at, id: `${asked.id}\u0001` }
  const [entry] = await tx.newest(changeLog, {}, { limit: 1, before })
  return entry?.id === asked.id && entry.at === asked.at ? entry : undefined
}
