import * as v from 'valibot'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { links, list, timestamp } from '../../../operation/schema.ts'
import { segmentPath } from '../segment-wire.ts'
import { type ImportKeys, importModes, type SegmentImport } from './segment-import.ts'

/** A boolean, or its text, because forms and queries contain only text. */
const flag = () =>
  v.union([
    v.boolean(),
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((value) => value === 'true'),
    ),
  ])

/** Fields that accompany an imported file. */
export const importFields = v.object({
  mode: v.optional(v.picklist(importModes), 'merge'),
  waitOnApprovals: v.optional(flag(), false),
})

export const segmentImportWire = v.object({
  id: v.string(),
  segmentKey: v.string(),
  creationTime: timestamp(),
  mode: v.string(),
  status: v.string(),
  files: list(v.object({ filename: v.string(), status: v.string() })),
  keyCount: v.number(),
  _links: links(),
})

export function presentSegmentImport(
  { format }: Pick<ReadContext, 'format'>,
  found: SegmentImport,
  keys: ImportKeys,
): v.InferOutput<typeof segmentImportWire> {
  return {
    id: found.id,
    segmentKey: keys.segmentKey,
    creationTime: format.time(found.createdAt),
    mode: found.mode,
    status: found.status,
    files: [{ filename: found.filename ?? 'keys.csv', status: found.status }],
    keyCount: found.keys,
    _links: selfAndParent(importPath(keys), segmentPath(keys)),
  }
}

export function importPath(keys: ImportKeys): string {
  return `${segmentPath(keys)}${path`/imports/${keys.importId}`}`
}
