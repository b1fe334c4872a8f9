import { createView } from './create-view.ts'
import { deleteView } from './delete-view.ts'
import { getView } from './get-view.ts'
import { linkResource } from './link-resource.ts'
import { listLinkedResources } from './list-linked-resources.ts'
import { listLinkedViews } from './list-linked-views.ts'
import { listViews } from './list-views.ts'
import { patchView } from './patch-view.ts'
import { unlinkResource } from './unlink-resource.ts'

export const viewOperations = [
  listViews,
  createView,
  getView,
  patchView,
  deleteView,
  linkResource,
  unlinkResource,
  listLinkedResources,
  listLinkedViews,
] as const
