import * as v from 'valibot'
import { members } from '../../../models/members/member.ts'
import type { SegmentKeys } from '../../../models/segments/segment.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../../operation/link.ts'
import { links, timestamp } from '../../../operation/schema.ts'
import { segmentPath } from '../segment-schema.ts'
import type { SegmentExport } from './segment-export.ts'

export const segmentExportResponse = v.object({
  id: v.string(),
  segmentKey: v.string(),
  creationTime: timestamp(),
  status: v.string(),
  sizeBytes: v.number(),
  size: v.string(),
  initiator: v.optional(v.object({ name: v.string(), email: v.string() })),
  _links: links(),
})

export async function serializeSegmentExport(
  { tx, format }: Pick<ReadContext, 'tx' | 'format'>,
  segmentExport: SegmentExport,
  keys: SegmentKeys,
): Promise<v.InferOutput<typeof segmentExportResponse>> {
  const { memberId } = segmentExport
  const member = memberId === undefined ? undefined : await tx.get(members, { memberId })
  const self = exportPath(keys, segmentExport.id)
  return {
    id: segmentExport.id,
    segmentKey: keys.segmentKey,
    creationTime: format.time(segmentExport.createdAt),
    status: 'complete',
    sizeBytes: segmentExport.size,
    size: formatSize(segmentExport.size),
    ...(member ? { initiator: { name: `${member.firstName} ${member.lastName}`.trim(), email: member.email } } : {}),
    _links: {
      ...selfAndParent(self, segmentPath(keys)),
      file: linkTo(`${self}/file`, 'text/csv'),
    },
  }
}

export function exportPath(keys: SegmentKeys, exportId: string): string {
  return `${segmentPath(keys)}${path`/exports/${exportId}`}`
}

const units = ['B', 'KB', 'MB', 'GB']

function formatSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${Math.round(bytes / 1024 ** power)} ${units[power]}`
}
