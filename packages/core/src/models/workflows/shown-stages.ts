import type { ShownFormat } from '../../storage/collection.ts'
import type { TemplateStage, WorkflowStage } from './workflow-stage.ts'

/**
 * Returns the stages of a workflow or template in the form of the change log: only the plan. API responses add the
 * state and the reviews of each stage.
 */
export function shownStages(
  stages: readonly (WorkflowStage | TemplateStage)[],
  { time }: ShownFormat,
): Readonly<Record<string, unknown>> {
  return {
    stages: stages.map(({ id, name, executeConditionsInSequence, conditions, instructions }) => ({
      _id: id,
      ...(name === undefined ? {} : { name }),
      ...(executeConditionsInSequence ? { executeConditionsInSequence } : {}),
      conditions: conditions.map((condition) => shownCondition(condition, time)),
      action: { kind: 'patch', instructions },
    })),
  }
}

type Condition = WorkflowStage['conditions'][number] | TemplateStage['conditions'][number]

function shownCondition(condition: Condition, time: ShownFormat['time']): Readonly<Record<string, unknown>> {
  const { id, kind } = condition
  if (kind === 'ld-approval') {
    const { description, notifyMemberIds, notifyTeamKeys } = condition
    return { _id: id, kind, description, notifyMemberIds, notifyTeamKeys }
  }
  const { scheduleKind } = condition
  if (scheduleKind === 'absolute') {
    return {
      _id: id,
      kind,
      scheduleKind,
      ...('executionDate' in condition ? { executionDate: time(condition.executionDate) } : {}),
    }
  }
  const { waitDuration, waitDurationUnit } = condition
  return { _id: id, kind, scheduleKind, waitDuration, waitDurationUnit }
}
