import { createScheduledChange } from './create-scheduled-change.ts'
import { deleteScheduledChange } from './delete-scheduled-change.ts'
import { getScheduledChange } from './get-scheduled-change.ts'
import { listScheduledChanges } from './list-scheduled-changes.ts'
import { patchScheduledChange } from './patch-scheduled-change.ts'

export const scheduledChangeOperations = [
  listScheduledChanges,
  createScheduledChange,
  getScheduledChange,
  patchScheduledChange,
  deleteScheduledChange,
] as const
