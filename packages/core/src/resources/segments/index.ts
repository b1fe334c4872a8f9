import { resource } from '../../operation/resource.ts'
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
import { importTurns } from './import-turn.ts'
import { listSegments } from './list-segments.ts'
import { patchExpiringTargetsForSegment } from './patch-expiring-targets-for-segment.ts'
import { patchExpiringUserTargetsForSegment } from './patch-expiring-user-targets-for-segment.ts'
import { patchSegment } from './patch-segment.ts'
import { generations, segments as segmentDocuments } from './segment.ts'
import { segmentExports } from './segment-export.ts'
import { segmentImports } from './segment-import.ts'
import { updateBigSegmentContextTargets } from './update-big-segment-context-targets.ts'
import { updateBigSegmentTargets } from './update-big-segment-targets.ts'

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
  collections: [importTurns, generations, segmentDocuments, segmentExports, segmentImports],
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
    mode: 'Whether the keys are added to the stored ones or replace them.',
    waitOnApprovals: 'Whether the keys become effective only after the import was approved.',
    importId: 'Id of the import.',
    exportId: 'Id of the export.',
  },
})
