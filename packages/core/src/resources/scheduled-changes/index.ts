import { resource } from '../../operation/resource.ts'
import { createScheduledChange } from './create-scheduled-change.ts'
import { deleteScheduledChange } from './delete-scheduled-change.ts'
import { getScheduledChange } from './get-scheduled-change.ts'
import { listScheduledChanges } from './list-scheduled-changes.ts'
import { patchScheduledChange } from './patch-scheduled-change.ts'
import { scheduledChanges as scheduledChangeDocuments } from './scheduled-change.ts'

export const scheduledChanges = resource({
  title: 'Scheduled changes',
  description: 'Changes of a flag that are made at a later time.',
  collections: [scheduledChangeDocuments],
  operations: [
    listScheduledChanges,
    createScheduledChange,
    getScheduledChange,
    patchScheduledChange,
    deleteScheduledChange,
  ],
})
