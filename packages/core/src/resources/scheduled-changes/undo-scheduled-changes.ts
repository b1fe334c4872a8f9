import { type ScheduledChange, scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import type { UndoContext, UndoRules } from '../../operation/undo/undo-rules.ts'
import { mandateOf } from '../tokens/mandate.ts'
import { dequeueChange, enqueueChange, newTaskId } from './plan.ts'

type Rules = UndoRules<ScheduledChange, typeof scheduledChanges.template>

/** Writes an earlier plan with a new task; the caller becomes its author. */
export const undoChange: Rules = {
  update(context, { keys, current, wanted }) {
    requireFuture(context, wanted)
    const plan = { ...wanted, ...newTaskId(context), mandate: mandateOf(context.caller), failure: undefined }
    const after = context.tx.replace(scheduledChanges, keys, current, plan)
    if (after === current) return
    dequeueChange(context, keys, current)
    enqueueChange(context, keys, after)
  },
}

/** Inserts a deleted scheduled change with a new task. */
export const undoDeletion: Rules = {
  prepare(context, _, scheduled) {
    requireFuture(context, scheduled)
    return { ...scheduled, ...newTaskId(context) }
  },
  inserted: enqueueChange,
}

/** Requires that the time of a scheduled change has not come: a restored change would be made immediately. */
function requireFuture(context: UndoContext, { executionDate }: ScheduledChange): void {
  if (executionDate > context.readClock()) return
  const message = 'This entry cannot be reverted: the time of a scheduled change has passed'
  context.fail('optimistic_locking_error', { message })
}
