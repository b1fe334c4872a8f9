import { segments } from '../../../models/segments/segment.ts'
import { operation } from '../../../operation/operation.ts'
import { uploadBody } from '../../../operation/upload.ts'
import { requireBigSegment } from '../big/require-big-segment.ts'
import { saveSegment } from '../changes/save-segment.ts'
import { importFields, importPath, segmentImportResponse, serializeSegmentImport } from './import-schema.ts'
import { mergeKeys } from './merge-keys.ts'
import { segmentImports } from './segment-import.ts'
import { stageKeys } from './stage-keys.ts'
import { stopWaitingImports } from './stop-waiting-imports.ts'

export const createBigSegmentImport = operation({
  id: 'createBigSegmentImport',
  summary: 'Import the keys of a file into a big segment',
  method: 'POST',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/imports',
  body: uploadBody('text/csv', importFields),
  bodyLimit: 40 * 1024 * 1024,
  success: { status: 201, body: segmentImportResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'updateIncluded', resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}' },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const host = context.useHost()
    const before = await requireBigSegment(context, params)
    context.requireRevision(before.version)
    const keys = { ...params, importId: host.newId() }
    const staged = await stageKeys(context, keys, body.file)
    const { filename, fields } = body.readFields()
    const { mode, waitOnApprovals } = fields
    // The segment may have changed while the file was read, which is harmless. But another segment may have its key
    // now.
    const segment = await requireBigSegment(context, params)
    if (segment.id !== before.id) fail('optimistic_locking_error')
    if (waitOnApprovals) {
      tx.expect(segments, params, segment)
      await stopWaitingImports(tx, params)
    } else {
      const merged = await mergeKeys(context, segment, { keys, staged, mode, attribute: 'file' })
      await saveSegment(context, { keys: params, before: segment, after: merged })
    }
    const created = tx.insert(segmentImports, keys, {
      id: keys.importId,
      segmentId: segment.id,
      mode,
      status: waitOnApprovals ? 'pending_approval' : 'complete',
      filename,
      keys: staged.count,
      createdAt: context.readClock(),
    })
    context.setLocation(importPath(keys))
    return serializeSegmentImport(context, created, keys)
  },
})
