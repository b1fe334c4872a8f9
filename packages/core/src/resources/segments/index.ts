import { generations, segments as segmentDocuments } from '../../models/segments/segment.ts'
import { resource } from '../../operation/resource.ts'
import { segmentExports } from './exports/segment-export.ts'
import { importLocks } from './imports/import-lock.ts'
import { segmentImports } from './imports/segment-import.ts'
import * as operations from './operations.ts'

export const segments = resource({
  title: 'Segments',
  description: 'Groups of contexts that flags target.',
  kinds: [
    {
      shape: 'proj:env:segment',
      adminActions: ['bypassRequiredApproval'],
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
  operations: Object.values(operations),
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
