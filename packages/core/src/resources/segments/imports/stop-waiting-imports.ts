import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { Writer } from '../../../storage/writer.ts'
import { type SegmentImport, segmentImports } from './segment-import.ts'

/**
 * Stops the waiting import of a segment in favor of a later one, so that at most one file is stored for waiting
 * imports.
 */
export async function stopWaitingImports(tx: Writer, keys: SegmentKeys): Promise<void> {
  const waiting = await tx.list(segmentImports, keys, {
    where: [{ op: 'equals', field: 'status', value: 'pending_approval' }],
    limit: 10,
  })
  for (const one of waiting.items) {
    const place = { ...keys, importId: one.id }
    const stopped: SegmentImport = { ...one, status: 'stopped' }
    tx.follow(segmentImports, place, one, stopped)
    tx.clear(segmentImports.address.address(place))
  }
}
