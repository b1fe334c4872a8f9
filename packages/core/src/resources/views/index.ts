import { views as viewDocuments } from '../../models/views/view.ts'
import { flagViews, segmentViews, viewFlags, viewSegments } from '../../models/views/view-link.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const views = resource({
  title: 'Views',
  description: 'Selections of flags and segments of a project, linked by key or by filter.',
  kinds: [
    {
      shape: 'proj:view',
      actions: [
        'viewView',
        'createView',
        'updateView',
        'linkFlagToView',
        'unlinkFlagFromView',
        'linkSegmentToView',
        'unlinkSegmentFromView',
        'deleteView',
      ],
    },
  ],
  collections: [viewDocuments, flagViews, segmentViews, viewFlags, viewSegments],
  operations: Object.values(operations),
  parameters: {
    viewKey: 'Key of the view.',
    resourceType: 'Type of the linked resources: `flags` or `segments`.',
    resourceKey: 'Key of the flag or the segment.',
    environmentId: 'Id of the environment.',
  },
})
