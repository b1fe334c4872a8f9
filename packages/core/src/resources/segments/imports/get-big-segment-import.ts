import { getOperation } from '../../../operation/document-operations/get-operation.ts'
import { segmentImportResponse, serializeSegmentImport } from './import-schema.ts'
import { segmentImports } from './segment-import.ts'

export const getBigSegmentImport = getOperation(segmentImports, {
  id: 'getBigSegmentImport',
  summary: 'Get an import of keys into a big segment',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/imports/{importId}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: segmentImportResponse,
  serialize: serializeSegmentImport,
})
