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
  for (const segmentImport of waiting.items) {
    const importKeys = { ...keys, importId: segmentImport.id }
    const stopped: SegmentImport = { ...segmentImport, status: 'stopped' }
    tx.follow(segmentImports, importKeys, segmentImport, stopped)
    tx.clear(segmentImports.address.address(importKeys))
  }
}
