import { getSegmentMembershipForContext } from './big/get-segment-membership-for-context.ts'
import { getSegmentMembershipForUser } from './big/get-segment-membership-for-user.ts'
import { updateBigSegmentContextTargets } from './big/update-big-segment-context-targets.ts'
import { updateBigSegmentTargets } from './big/update-big-segment-targets.ts'
import { createSegment } from './create-segment.ts'
import { deleteSegment } from './delete-segment.ts'
import { getExpiringTargetsForSegment } from './expiring-targets/get-expiring-targets-for-segment.ts'
import { getExpiringUserTargetsForSegment } from './expiring-targets/get-expiring-user-targets-for-segment.ts'
import { patchExpiringTargetsForSegment } from './expiring-targets/patch-expiring-targets-for-segment.ts'
import { patchExpiringUserTargetsForSegment } from './expiring-targets/patch-expiring-user-targets-for-segment.ts'
import { createBigSegmentExport } from './exports/create-big-segment-export.ts'
import { getBigSegmentExport } from './exports/get-big-segment-export.ts'
import { getBigSegmentExportFile } from './exports/get-big-segment-export-file.ts'
import { getSegment } from './get-segment.ts'
import { createBigSegmentImport } from './imports/create-big-segment-import.ts'
import { getBigSegmentImport } from './imports/get-big-segment-import.ts'
import { listSegments } from './list-segments.ts'
import { patchSegment } from './patch-segment.ts'

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
