import { counted, dateText } from '../../rules/sentences/sentence.ts'
import { documents, type Keys, queue, shownTime, type Versioned } from '../../storage/collection.ts'
import { flags } from '../flags/flag.ts'
import type { Mandate } from '../tokens/mandate.ts'

/** A change of a flag in one environment that is made at a given time. */
export interface ScheduledChange extends Versioned {
  readonly id: string
  /** Instructions in the form that the schema of a flag's instructions returns. */
  readonly instructions: readonly { readonly kind: string }[]
  readonly comment: string
  /** Integer ms, UTC. */
  readonly executionDate: number
  /** The rights of the author. The change is made with the rights that the author still has at that time. */
  readonly mandate: Mandate
  /** Id of the task that makes the change. Tasks of earlier plans have other ids. */
  readonly taskId: string
  /** Reason why the change could not be made. The change is not tried again. */
  readonly failure?: { readonly at: number; readonly reason: string }
  readonly createdAt: number
}

const flag = 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}'

export const scheduledChanges = documents<ScheduledChange>()({
  name: 'scheduled-change',
  address: `${flag}:scheduled-change/{id}`,
  policyAddress: flag,
  fields: ({ executionDate }) => ({ executionDate }),
  shown: {
    id: '_id',
    comment: (comment) => (comment === '' ? {} : { comment }),
    executionDate: shownTime('executionDate'),
    mandate: ({ memberId }) => (memberId === undefined ? {} : { _maintainerId: memberId }),
    taskId: null,
    failure: null,
    createdAt: shownTime('_creationDate'),
  },
  partOf: flags,
  sentences: {
    name: (_, whole) => whole,
    created: ({ instructions, executionDate }, { it }) =>
      `scheduled ${counted(instructions.length, 'changes')} of ${it} for ${dateText(executionDate)}`,
    deleted: ({ executionDate }, { it }) =>
      `canceled the change of ${it} that was scheduled for ${dateText(executionDate)}`,
    changed: {
      instructions: (_before, _after, { it }) => `replaced the instructions of the scheduled change of ${it}`,
      comment: 'comment on the scheduled change',
      executionDate: (_, { executionDate }, { it }) =>
        `moved the scheduled change of ${it} to ${dateText(executionDate)}`,
    },
  },
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

/** Body of the tasks of scheduled changes. */
export type ScheduledTask = ScheduledChangeKeys

/** The scheduled changes of a flag in an environment run one after the other. */
export const scheduledChangeTasks = queue({ name: 'scheduled-changes', address: flag })
