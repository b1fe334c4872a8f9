import { views as viewDocuments } from '../../models/views/view.ts'
import { flagViews, segmentViews, viewFlags, viewSegments } from '../../models/views/view-link.ts'
import { resource } from '../../operation/resource.ts'
import { createView } from './create-view.ts'
import { deleteView } from './delete-view.ts'
import { getView } from './get-view.ts'
import { linkResource } from './link-resource.ts'
import { listLinkedResources } from './list-linked-resources.ts'
import { listLinkedViews } from './list-linked-views.ts'
import { listViews } from './list-views.ts'
import { patchView } from './patch-view.ts'
import { unlinkResource } from './unlink-resource.ts'

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
  operations: [
    listViews,
    createView,
    getView,
    patchView,
    deleteView,
    linkResource,
    unlinkResource,
    listLinkedResources,
    listLinkedViews,
  ],
  parameters: {
    viewKey: 'Key of the view.',
    resourceType: 'Type of the linked resources: `flags` or `segments`.',
    resourceKey: 'Key of the flag or the segment.',
    environmentId: 'Id of the environment.',
  },
})
