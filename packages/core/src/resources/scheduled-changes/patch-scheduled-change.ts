import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { semanticPatchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { mandateOf } from '../tokens/mandate.ts'
import { dequeueChange, enqueueChange, newTaskId } from './plan.ts'
import {
  conflictQuery,
  scheduledChangeResponse,
  scheduleInstruction,
  serializeScheduledChange,
} from './scheduled-change-schema.ts'
import { undoChange } from './undo-scheduled-changes.ts'
import { validateChange } from './validate-change.ts'

export const patchScheduledChange = operation({
  id: 'patchScheduledChange',
  undo: [undoOf(scheduledChanges, undoChange)],
  summary: 'Update the instructions or the time of a scheduled change; the caller becomes its author',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/scheduled-changes/{id}',
  query: conflictQuery,
  body: semanticPatchBody(scheduleInstruction),
  success: { status: 200, body: scheduledChangeResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateScheduledChanges',
    resource: scheduledChanges.policyTemplate,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const { tx } = context
    const before = (await tx.get(scheduledChanges, params)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    let updated = before
    for (const instruction of body.instructions) {
      if (instruction.kind === 'deleteScheduledChange') {
        dequeueChange(context, params, before)
        tx.remove(scheduledChanges, params, before)
        return serializeScheduledChange(context, before, params)
      }
      updated =
        instruction.kind === 'replaceScheduledChangesInstructions'
          ? { ...updated, instructions: instruction.value }
          : { ...updated, executionDate: instruction.value }
    }
    if (updated === before) return serializeScheduledChange(context, before, params)
    await validateChange(context, params, updated)
    const plan = { ...updated, ...newTaskId(context), mandate: mandateOf(context.caller), failure: undefined }
    const after = tx.replace(scheduledChanges, params, before, plan)
    // When the patch changes nothing, no new task is planned.
    if (after !== before) {
      dequeueChange(context, params, before)
      enqueueChange(context, params, after)
    }
    context.setRevision(after.version)
    return serializeScheduledChange(context, after, params)
  },
})
