import { queue } from '../../storage/collection.ts'
import type { WorkflowKeys } from './workflow.ts'

/** Body of the tasks that continue workflows, at a time or after a review. A task without anything to do is dropped. */
export type WorkflowTask = WorkflowKeys

/** The workflows of a flag in an environment are continued one after the other. */
export const workflowTasks = queue({
  name: 'workflows',
  address: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
})
