import { scheduledChanges as scheduledChangeDocuments } from '../../models/scheduled-changes/scheduled-change.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const scheduledChanges = resource({
  title: 'Scheduled changes',
  description: 'Changes of a flag that are made at a later time.',
  collections: [scheduledChangeDocuments],
  operations: Object.values(operations),
  parameters: {
    ignoreConflicts:
      'Accepted for clients of the reference API. Changes are never refused because of pending scheduled changes or approval requests.',
  },
})
