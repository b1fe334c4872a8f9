import { getOperation } from '../../../operation/document-operations/get-operation.ts'
import { segmentExportResponse, serializeSegmentExport } from './export-response.ts'
import { segmentExports } from './segment-export.ts'

export const getBigSegmentExport = getOperation(segmentExports, {
  id: 'getBigSegmentExport',
  summary: 'Get an export of the keys of a big segment',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/exports/{exportId}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: segmentExportResponse,
  serialize: serializeSegmentExport,
})
