import { counted, shortName } from '../../rules/sentences/sentence.ts'
import { documents, type Keys, shownTime, type Versioned } from '../../storage/collection.ts'
import { flags } from '../flags/flag.ts'
import type { Mandate } from '../tokens/mandate.ts'
import { shownStages } from './shown-stages.ts'
import type { WorkflowStage } from './workflow-stage.ts'

/**
 * Stages that change a flag in one environment, one after the other
 * (docs/decisions/0138-run-workflows-as-tasks-with-approval-requests.md).
 */
export interface Workflow extends Versioned {
  readonly id: string
  readonly name: string
  readonly description?: string
  /** Id of the member who maintains the workflow. */
  readonly maintainerId?: string
  /** Key of the template from which the workflow was created. */
  readonly templateKey?: string
  readonly stages: readonly WorkflowStage[]
  readonly status: WorkflowStatus
  /** Index of the current stage, or of the last one that was started. */
  readonly stage: number
  /** The rights of the author. Each stage runs with the rights that the author still has at that time. */
  readonly mandate: Mandate
  /** Id of the task that continues the workflow at `dueAt`; absent while it waits for reviewers only. */
  readonly taskId?: string
  /** Integer ms. */
  readonly dueAt?: number
  /** Reason why a stage could not be applied. */
  readonly failure?: string
  readonly createdAt: number
  /** Time at which the last stage was applied, or a stage failed. Integer ms. */
  readonly stoppedAt?: number
}

export const workflowStatuses = ['active', 'completed', 'failed'] as const

/** Status of a workflow as a whole. The last two are final. */
export type WorkflowStatus = (typeof workflowStatuses)[number]

const flag = 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}'

export const workflows = documents<Workflow>()({
  name: 'workflow',
  address: `${flag}:workflow/{workflowId}`,
  policyAddress: flag,
  fields: ({ createdAt, stoppedAt = null, status }) => ({ createdAt, stoppedAt, status }),
  partOf: flags,
  shown: {
    id: '_id',
    maintainerId: '_maintainerId',
    stages: shownStages,
    status: null,
    stage: null,
    mandate: null,
    taskId: null,
    dueAt: null,
    failure: null,
    createdAt: shownTime('_creationDate'),
    stoppedAt: null,
  },
  sentences: {
    name: ({ name }, whole) => `the workflow “${shortName(name)}” of ${whole}`,
    created: ({ stages }, { it }) => `started ${it} with ${counted(stages.length, 'stages')}`,
    deleted: (_, { it }) => `deleted ${it}`,
  },
  changes: {
    id: null,
    name: 'updateFeatureWorkflows',
    description: 'updateFeatureWorkflows',
    maintainerId: null,
    templateKey: null,
    stages: null,
    status: null,
    stage: null,
    mandate: null,
    taskId: null,
    dueAt: null,
    failure: null,
    createdAt: null,
    stoppedAt: null,
  },
})

export type WorkflowKeys = Keys<typeof workflows.template>
