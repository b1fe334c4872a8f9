import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Sample } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { Writer } from '../storage/writer.ts'
import type { LoggedChange } from './change-log/change-log-entry.ts'

/**
 * Makes the notifier of a unit of work. The resource that stores the receivers of notifications provides this function,
 * because the pipeline does not depend on resources.
 *
 * The pipeline calls the function when it opens a unit of work, so that the receivers are read together with the
 * documents of the handler. When the unit has a change log entry, the pipeline calls the notifier, which adds to the
 * unit the tasks that send the notifications.
 */
export type Audience = (reads: Pick<StorageReads, 'list' | 'getMany'>) => Notifier

export type Notifier = (tx: Writer, entry: Sample, selects: ChangeSelector) => Promise<void>

/**
 * Returns true when a policy selects a change: the policy allows one of the actions of the change, on the resource as
 * it was before the change or as it is after.
 */
export type ChangeSelector = (policy: CompiledPolicy, change: LoggedChange) => Promise<boolean>
