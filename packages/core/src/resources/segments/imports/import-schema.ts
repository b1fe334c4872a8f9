import * as v from 'valibot'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { booleanParameter, links, list, timestamp } from '../../../operation/schema.ts'
import { segmentPath } from '../segment-schema.ts'
import { type ImportKeys, importModes, type SegmentImport } from './segment-import.ts'

/** Fields that accompany an imported file. */
export const importFields = v.object({
  mode: v.optional(v.picklist(importModes), 'merge'),
  waitOnApprovals: v.optional(booleanParameter(), false),
})

export const segmentImportResponse = v.object({
  id: v.string(),
  segmentKey: v.string(),
  creationTime: timestamp(),
  mode: v.string(),
  status: v.string(),
  files: list(v.object({ filename: v.string(), status: v.string() })),
  keyCount: v.number(),
  _links: links(),
})

export function serializeSegmentImport(
  { format }: Pick<ReadContext, 'format'>,
  segmentImport: SegmentImport,
  keys: ImportKeys,
): v.InferOutput<typeof segmentImportResponse> {
  return {
    id: segmentImport.id,
    segmentKey: keys.segmentKey,
    creationTime: format.time(segmentImport.createdAt),
    mode: segmentImport.mode,
    status: segmentImport.status,
    files: [{ filename: segmentImport.filename ?? 'keys.csv', status: segmentImport.status }],
    keyCount: segmentImport.keys,
    _links: selfAndParent(importPath(keys), segmentPath(keys)),
  }
}

export function importPath(keys: ImportKeys): string {
  return `${segmentPath(keys)}${path`/imports/${keys.importId}`}`
}
