import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Sample } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { Writer } from '../storage/writer.ts'
import type { LoggedChange } from './change-log/change-log-entry.ts'

/**
 * Those who are told of changes. The pipeline knows no resource, so whoever keeps them brings this.
 *
 * Called when a unit of work is opened, so that the question goes to storage together with those of the handler; what it
 * answers is called when the unit has an entry for the change log, and adds to the unit what tells of it.
 */
export type Audience = (reads: Pick<StorageReads, 'list' | 'getMany'>) => Notifier

export type Notifier = (tx: Writer, entry: Sample, selects: Selects) => Promise<void>

/**
 * Whether a policy speaks of a change: of one of its actions, on the thing as it was before or as it is after.
 */
export type Selects = (policy: CompiledPolicy, change: LoggedChange) => Promise<boolean>
