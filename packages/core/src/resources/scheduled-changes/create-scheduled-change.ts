import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { mandateOf } from '../tokens/mandate.ts'
import { enqueueChange, newTaskId } from './plan.ts'
import {
  conflictQuery,
  scheduledChangeBody,
  scheduledChangeResponse,
  serializeScheduledChange,
} from './scheduled-change-schema.ts'
import { undoDeletion } from './undo-scheduled-changes.ts'
import { validateChange } from './validate-change.ts'

export const createScheduledChange = createOperation(scheduledChanges, {
  id: 'createScheduledChange',
  summary:
    'Create a scheduled change of a flag in an environment; it runs with the rights that the caller has at that time',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/scheduled-changes',
  access: { action: 'updateScheduledChanges', resource: scheduledChanges.policyTemplate },
  query: conflictQuery,
  body: scheduledChangeBody,
  async make(context, body, params) {
    await validateChange(context, params, body)
    const { caller } = context
    const host = context.useHost()
    const now = context.readClock()
    return { ...body, ...newTaskId(context), id: host.newId(), mandate: mandateOf(caller), createdAt: now }
  },
  async after(context, document, _, params) {
    enqueueChange(context, params, document)
  },
  undo: undoDeletion,
  keyOf: ({ id }) => id,
  response: scheduledChangeResponse,
  serialize: serializeScheduledChange,
})
