import type { Mandate } from '../../models/tokens/mandate.ts'
import { documents, type Keys, queue, type Versioned } from '../../storage/collection.ts'

/** A change of a flag in one environment that is to be made at a certain time. */
export interface ScheduledChange extends Versioned {
  readonly id: string
  /** As the schema of a flag's instructions reads them. */
  readonly instructions: readonly { readonly kind: string }[]
  readonly comment: string
  /** Integer ms, UTC. */
  readonly executionDate: number
  /** Whose change it is: made with what is left of these rights when the time has come. */
  readonly mandate: Mandate
  /** The task that makes it; one of an earlier plan is none of it any more. */
  readonly taskId: string
  /** Why it could not be made; it is not tried again. */
  readonly failure?: { readonly at: number; readonly reason: string }
  readonly createdAt: number
}

const flag = 'proj/{projectKey}:env/{environmentKey}:flag/{featureFlagKey}'

export const scheduledChanges = documents<ScheduledChange>()({
  name: 'scheduled-change',
  address: `${flag}:scheduled-change/{id}`,
  policyAddress: flag,
  fields: ({ executionDate }) => ({ executionDate }),
  changes: {
    id: null,
    instructions: 'updateScheduledChanges',
    comment: 'updateScheduledChanges',
    executionDate: 'updateScheduledChanges',
    mandate: null,
    taskId: null,
    failure: null,
    createdAt: null,
  },
})

export type ScheduledChangeKeys = Keys<typeof scheduledChanges.template>

/** What the tasks of scheduled changes say. */
export type ScheduledTask = ScheduledChangeKeys

/** Scheduled changes of a flag in an environment are made one after the other. */
export const scheduledChangeTasks = queue({ name: 'scheduled-changes', address: flag })
