import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Sample } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { Writer } from '../storage/writer.ts'
import type { LoggedChange } from './change-log/change-log-entry.ts'

/**
 * Makes the notifier of a unit of work. The pipeline knows no resource, so the resource that stores the receivers of
 * notifications provides this function.
 *
 * The pipeline calls it when it opens a unit of work, so that the reads for the receivers go to the storage together
 * with those of the handler. It calls the notifier when the unit has a change log entry, and the notifier adds the
 * tasks that send the notifications to the unit.
 */
export type Audience = (reads: Pick<StorageReads, 'list' | 'getMany'>) => Notifier

export type Notifier = (tx: Writer, entry: Sample, selects: ChangeSelector) => Promise<void>

/**
 * Returns true when a policy selects a change: the policy allows one of the actions of the change, on the resource as
 * it was before the change or as it is after.
 */
export type ChangeSelector = (policy: CompiledPolicy, change: LoggedChange) => Promise<boolean>
