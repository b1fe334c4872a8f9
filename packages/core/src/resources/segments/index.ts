import { createBigSegmentExport } from './create-big-segment-export.ts'
import { createBigSegmentImport } from './create-big-segment-import.ts'
import { createSegment } from './create-segment.ts'
import { deleteSegment } from './delete-segment.ts'
import { getBigSegmentExport } from './get-big-segment-export.ts'
import { getBigSegmentExportFile } from './get-big-segment-export-file.ts'
import { getBigSegmentImport } from './get-big-segment-import.ts'
import { getExpiringTargetsForSegment } from './get-expiring-targets-for-segment.ts'
import { getExpiringUserTargetsForSegment } from './get-expiring-user-targets-for-segment.ts'
import { getSegment } from './get-segment.ts'
import { getSegmentMembershipForContext } from './get-segment-membership-for-context.ts'
import { getSegmentMembershipForUser } from './get-segment-membership-for-user.ts'
import { listSegments } from './list-segments.ts'
import { patchExpiringTargetsForSegment } from './patch-expiring-targets-for-segment.ts'
import { patchExpiringUserTargetsForSegment } from './patch-expiring-user-targets-for-segment.ts'
import { patchSegment } from './patch-segment.ts'
import { updateBigSegmentContextTargets } from './update-big-segment-context-targets.ts'
import { updateBigSegmentTargets } from './update-big-segment-targets.ts'

export const segmentOperations = [
  listSegments,
  createSegment,
  getSegment,
  patchSegment,
  deleteSegment,
  updateBigSegmentContextTargets,
  updateBigSegmentTargets,
  getSegmentMembershipForContext,
  getSegmentMembershipForUser,
  createBigSegmentImport,
  getBigSegmentImport,
  createBigSegmentExport,
  getBigSegmentExport,
  getBigSegmentExportFile,
  getExpiringTargetsForSegment,
  patchExpiringTargetsForSegment,
  getExpiringUserTargetsForSegment,
  patchExpiringUserTargetsForSegment,
] as const
