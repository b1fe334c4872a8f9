import { type Workflow, workflows } from '../../models/workflows/workflow.ts'
import type { UndoContext, UndoRules } from '../../operation/undo/undo-rules.ts'
import { isReady } from '../../rules/workflow/stage-progress.ts'
import { currentStage, planTask } from './continue-stages.ts'
import { discardContents } from './discard-contents.ts'

type Rules = UndoRules<Workflow, typeof workflows.template>

/**
 * A workflow does not go back: the revert of a stage reverts the change of the flag, and leaves the workflow as it is.
 */
export const undoCreation: Rules = { create: 'updateFeatureWorkflows' }

/** Deletes a created workflow with its open approval requests; inserts a deleted one with a new task. */
export const undoDeletion: Rules = {
  async remove(context, keys, workflow) {
    await context.demand('updateFeatureWorkflows', workflows, keys, workflow)
    context.tx.remove(workflows, keys, workflow)
    await discardContents(context, workflow, keys)
  },
  removesConsequences: true,
  prepare(context, keys, workflow) {
    requireFuture(context, workflow)
    const { taskId: _, dueAt: __, ...rest } = workflow
    return planTask(context, keys, rest)
  },
}

/** Requires that a restored workflow still has to wait. Otherwise its stage would be applied immediately. */
function requireFuture(context: UndoContext, workflow: Workflow): void {
  const { status, dueAt = Number.POSITIVE_INFINITY } = workflow
  if (status !== 'active' || (dueAt > context.readClock() && !isReady(currentStage(workflow)))) return
  const message = 'This entry cannot be reverted: the time of a stage of the workflow has passed'
  context.fail('optimistic_locking_error', { message })
}
