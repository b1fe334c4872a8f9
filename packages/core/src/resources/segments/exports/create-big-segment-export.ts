import { type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import { operation } from '../../../operation/operation.ts'
import { keyFileHeading, keyFileLines } from '../../../rules/key-file/key-file.ts'
import type { Reader } from '../../../storage/reader.ts'
import { requireBigSegment } from '../big/require-big-segment.ts'
import { exportPath, segmentExportResponse, serializeSegmentExport } from './export-response.ts'
import { exportIdOf, pagesOfKeys, segmentExports } from './segment-export.ts'

export const createBigSegmentExport = operation({
  id: 'createBigSegmentExport',
  summary: 'Export the keys of a big segment to a file',
  method: 'POST',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/exports',
  success: { status: 201, body: segmentExportResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  // The segment does not change, and an export contains only what the caller can read anyway.
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const { tx, caller } = context
    const now = context.readClock()
    const segment = await requireBigSegment(context, params)
    const id = exportIdOf(segment)
    const keys = { ...params, exportId: id }
    context.setLocation(exportPath(params, id))
    const existing = await tx.get(segmentExports, keys)
    if (existing) return serializeSegmentExport(context, existing, params)
    const size = await fileSize(tx, params)
    tx.expect(segments, params, segment)
    const created = tx.insert(segmentExports, keys, { id, size, memberId: caller.memberId, createdAt: now })
    return serializeSegmentExport(context, created, params)
  },
})

/**
 * Returns the size of the file in bytes. The file is generated for that and not stored: a million keys are about forty
 * megabytes.
 */
async function fileSize(tx: Reader, keys: SegmentKeys): Promise<number> {
  const utf8 = new TextEncoder()
  let size = keyFileHeading.length
  for await (const page of pagesOfKeys(tx, keys)) size += utf8.encode(keyFileLines(page)).length
  return size
}
