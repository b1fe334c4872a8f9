import type { ResourceRef } from '../../models/approval-requests/approval-request.ts'
import type { WorkflowKeys } from '../../models/workflows/workflow.ts'
import type { WorkflowStage } from '../../models/workflows/workflow-stage.ts'
import { ApiError } from '../../operation/errors.ts'
import type { ChangedDocument } from '../../storage/changed-document.ts'
import { readerAfter } from '../../storage/dry-run-writer.ts'
import { type DryRunContext, dryWrites } from '../approval-requests/subjects/dry-apply.ts'
import { loadFlagSubject } from '../approval-requests/subjects/flag-subject.ts'

/** A stage that was applied in a dry run after the previous stages. */
export interface SimulatedStage {
  /** Index of the stage. */
  readonly index: number
  /** Each change with the actions that it needs. Empty when the stage cannot be applied. */
  readonly changed: readonly ChangedDocument[]
  /** The reason why the stage cannot be applied. */
  readonly error?: ApiError
}

/** Returns the flag of a workflow in its environment, as approval requests name it. */
export function flagRefOf({ projectKey, environmentKey, flagKey }: Omit<WorkflowKeys, 'workflowId'>) {
  return { kind: 'flag', projectKey, environmentKey, resourceKey: flagKey } as const satisfies ResourceRef
}

/** Returns true when reviewers have to approve a stage. */
export function needsReview({ conditions }: Pick<WorkflowStage, 'conditions'>): boolean {
  return conditions.some(({ kind }) => kind === 'ld-approval')
}

/** The stages of a workflow, and the flag that they change. */
export interface FlagStages {
  readonly keys: Omit<WorkflowKeys, 'workflowId'>
  readonly stages: readonly Pick<WorkflowStage, 'conditions' | 'instructions'>[]
}

/**
 * Applies stages one after the other in a dry run, each to the result of the stages before it. A stage that cannot be
 * applied changes nothing for the following ones.
 *
 * @param fullCheck true: check everything that the stages affect, and whether the environment requires approval. False:
 *   only the flag in the environment.
 */
export async function simulateStages(
  context: DryRunContext,
  { keys, stages }: FlagStages,
  { fullCheck }: { readonly fullCheck: boolean },
): Promise<readonly SimulatedStage[]> {
  const resourceRef = flagRefOf(keys)
  const host = context.useHost()
  const now = context.readClock()
  const services = { caller: context.caller, useHost: () => host, readClock: () => now }
  const simulated: SimulatedStage[] = []
  let { tx } = context
  for (const [index, stage] of stages.entries()) {
    const subject = await loadFlagSubject(tx, resourceRef)
    if (!subject) break
    const pass = needsReview(stage) ? { approved: resourceRef } : {}
    try {
      const options = { comment: 'dry run', fullCheck }
      const writes = await dryWrites({ ...services, tx }, { subject, instructions: stage.instructions }, options, pass)
      simulated.push({ index, changed: writes.changed })
      tx = readerAfter(tx, writes)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      simulated.push({ index, changed: [], error })
    }
  }
  return simulated
}
