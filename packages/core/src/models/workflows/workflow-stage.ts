import type { ConditionState, ScheduleTerms } from '../../rules/workflow/stage-progress.ts'

/** The action of a stage and the conditions that must hold before it is made. */
export interface WorkflowStage {
  readonly id: string
  readonly name?: string
  /**
   * True when each condition begins once the previous condition holds. Default: all conditions begin with the stage.
   */
  readonly executeConditionsInSequence?: boolean
  readonly conditions: readonly WorkflowCondition[]
  /** Instructions in the form that the schema of a flag's instructions returns. */
  readonly instructions: readonly { readonly kind: string }[]
  /** Integer ms. */
  readonly startedAt?: number
  /** Time at which the action was made, or could not be made. Integer ms. */
  readonly stoppedAt?: number
}

export type WorkflowCondition = ConditionState & (ScheduleTerms | ApprovalTerms)

/** A condition that holds once reviewers have approved the action of the stage. */
export interface ApprovalTerms {
  readonly kind: 'ld-approval'
  readonly description?: string
  readonly notifyMemberIds: readonly string[]
  readonly notifyTeamKeys: readonly string[]
  /** Id of the approval request, once the condition has begun. */
  readonly requestId?: string
}

/** A stage that never starts. */
export interface TemplateStage extends Omit<WorkflowStage, 'conditions' | 'startedAt' | 'stoppedAt'> {
  readonly conditions: readonly TemplateCondition[]
}

/** A condition without a date: the date of an absolute schedule is a parameter without a default. */
export type TemplateCondition =
  | { readonly id: string; readonly kind: 'schedule'; readonly scheduleKind: 'absolute' }
  | Pick<
      Extract<WorkflowCondition, { readonly scheduleKind: 'relative' }>,
      'id' | 'kind' | 'scheduleKind' | 'waitDuration' | 'waitDurationUnit'
    >
  | ({ readonly id: string } & Omit<ApprovalTerms, 'requestId'>)
