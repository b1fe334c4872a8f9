import { generations, segments as segmentDocuments } from '../../models/segments/segment.ts'
import { resource } from '../../operation/resource.ts'
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
import { segmentExports } from './exports/segment-export.ts'
import { getSegment } from './get-segment.ts'
import { createBigSegmentImport } from './imports/create-big-segment-import.ts'
import { getBigSegmentImport } from './imports/get-big-segment-import.ts'
import { importLocks } from './imports/import-lock.ts'
import { segmentImports } from './imports/segment-import.ts'
import { listSegments } from './list-segments.ts'
import { patchSegment } from './patch-segment.ts'

export const segments = resource({
  title: 'Segments',
  description: 'Groups of contexts that flags target.',
  kinds: [
    {
      shape: 'proj:env:segment',
      actions: [
        'createSegment',
        'updateName',
        'updateDescription',
        'updateTags',
        'updateIncluded',
        'updateExcluded',
        'updateRules',
        'updateExpiringTargets',
        'updateScheduledChanges',
        'createApprovalRequest',
        'updateApprovalRequest',
        'reviewApprovalRequest',
        'applyApprovalRequest',
        'deleteApprovalRequest',
        'bypassRequiredApproval',
        'deleteSegment',
      ],
    },
  ],
  collections: [importLocks, generations, segmentDocuments, segmentExports, segmentImports],
  operations: [
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
  ],
  parameters: {
    filter:
      'Comparisons joined by `,` (and), `|` (or) and parentheses, such as `tags anyOf ["web"], unbounded equals true`. Fields: `query`, `tags`, `keys`, `includedKeys`, `excludedKeys`, `unbounded`, `external`, `type`, `view`.',
    segmentKey: 'Key of the segment.',
    contextKey: 'Key of the context.',
    userKey: 'Key of the user.',
    mode: 'Effect on the stored keys: `merge` adds the new keys, `replace` replaces all stored keys.',
    waitOnApprovals: 'Delays the effect of the keys until the import is approved.',
    importId: 'Id of the import.',
    exportId: 'Id of the export.',
  },
})
