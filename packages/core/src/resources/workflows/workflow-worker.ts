import { approvalRequests } from '../../models/approval-requests/approval-request.ts'
import { type Workflow, type WorkflowKeys, workflows } from '../../models/workflows/workflow.ts'
import { type WorkflowTask, workflowTasks } from '../../models/workflows/workflow-tasks.ts'
import type { WriteContext } from '../../operation/context.ts'
import { dropTask } from '../../operation/tasks/drop-task.ts'
import { performOrRecord } from '../../operation/tasks/perform-or-record.ts'
import type { TaskWorker, TaskWorkerTools } from '../../operation/tasks/task-worker.ts'
import { isOpen } from '../../rules/approval/approval-steps.ts'
import { type Sentence, shortName } from '../../rules/sentences/sentence.ts'
import { isReady } from '../../rules/workflow/stage-progress.ts'
import { isSame } from '../../storage/changed-document.ts'
import type { Replacement } from '../../storage/collection.ts'
import { requestKeysOf } from '../approval-requests/find-request.ts'
import { callerOfMandate } from '../tokens/mandate.ts'
import { applyStage } from './apply-stage.ts'
import {
  type ContinueContext,
  continueStage,
  currentStage,
  loadStageRequests,
  planTask,
  withStage,
} from './continue-stages.ts'

/** Maximum duration of one stage, ms. */
const maxMs = 5_000

/**
 * Makes the worker that continues workflows: at a time, after a review of an approval request, and after each stage.
 * Each stage is applied with the rights that the author still has. When a stage cannot be applied, the workflow fails.
 */
export function workflowWorker({ storage }: Pick<TaskWorkerTools, 'storage'>): TaskWorker {
  return {
    queue: workflowTasks.name,
    caller: 'system/workflows',
    maxMs,
    async work(task, context) {
      const keys = task.body as WorkflowTask
      const before = await context.tx.get(workflows, keys)
      // The workflow was deleted, or ended, after the task was enqueued.
      if (before?.status !== 'active') {
        return dropTask(context, 'continueWorkflow', (tx) => tx.finish(workflowTasks, keys, task))
      }
      // If this is the task that the workflow waits for, `perform` finishes it, so `planTask` must not keep it.
      const plan = task.id === before.taskId ? undefined : before
      return performOrRecord(context, task, {
        id: 'continueWorkflow',
        author: await callerOfMandate(storage, before.mandate, `workflow/${before.id}`),
        async perform(context) {
          context.tx.finish(workflowTasks, keys, task)
          // Cast: a worker declares no error codes; it records each failure with its reason.
          const failing: ContinueContext = context as never
          const continued = await continueStage(failing, keys, before)
          const isDue = isReady(currentStage(continued))
          const after = isDue ? await applyStage(failing, keys, continued) : continued
          saveProgress(context, { keys, before, after: planTask(context, keys, after, plan) })
        },
        async recordFailure(context, reason) {
          context.tx.finish(workflowTasks, keys, task)
          await saveFailure(context, {
            keys,
            before,
            after: planTask(context, keys, failed(before, context.readClock(), reason), plan),
          })
          context.setComment(`A workflow could not be continued: ${reason}`)
        },
      })
    },
  }
}

function saveProgress({ tx }: WriteContext, { keys, before, after }: Replacement<Workflow, WorkflowKeys>): void {
  if (isSame(before, after)) return
  tx.follow(workflows, keys, before, after)
  tx.describe(workflows, keys, [progressSentence(before, after)])
}

function progressSentence(before: Workflow, after: Workflow): Sentence {
  const stage = stageName(before)
  if (after.status === 'completed') return ({ it }) => `applied the last stage, ${stage}, of ${it}:`
  if (after.stage !== before.stage) return ({ it }) => `applied the stage ${stage} of ${it}:`
  return ({ it }) => `recorded which conditions of the stage ${stage} of ${it} hold`
}

function stageName(workflow: Workflow): string {
  const { name } = currentStage(workflow)
  return name === undefined ? String(workflow.stage + 1) : `“${shortName(name)}”`
}

function failed(workflow: Workflow, now: number, reason: string): Workflow {
  const stopped = withStage(workflow, { ...currentStage(workflow), stoppedAt: now })
  return { ...stopped, status: 'failed', failure: reason, stoppedAt: now }
}

/** Stores a failed workflow. Its open approval requests fail with it. */
async function saveFailure(
  context: WriteContext,
  { keys, before, after }: Replacement<Workflow, WorkflowKeys>,
): Promise<void> {
  const { tx } = context
  tx.follow(workflows, keys, before, after)
  const stage = stageName(before)
  tx.describe(workflows, keys, [({ it }) => `failed to apply the stage ${stage} of ${it}`])
  const requests = await loadStageRequests(tx, keys, [currentStage(before)])
  for (const request of requests.values()) {
    if (!isOpen(request)) continue
    tx.follow(approvalRequests.flag, requestKeysOf(request), request, {
      ...request,
      status: 'failed',
      ...(after.failure === undefined ? {} : { failure: after.failure }),
      failedAt: context.readClock(),
    })
  }
}
