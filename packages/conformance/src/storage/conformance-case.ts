import type { AccountStorage, Storage } from '@halyard/core/storage'

/**
 * One rule of a port as a named case, for any test runner. The storage or transport follows the rule when `run`
 * resolves.
 */
export interface ConformanceCase {
  /** Unique within the group. */
  readonly name: string
  readonly group: string
  run(): Promise<void>
}

/** The arguments of a case: the storage that all cases share, and an account in it that no other case uses. */
export interface StorageCaseContext {
  readonly storage: Storage
  readonly account: AccountStorage
  /** Returns an account of this case by name. The same name returns the same account. */
  accountNamed(name: string): AccountStorage
  /** Opens a new, migrated storage for this case alone. */
  open(): Promise<Storage>
  /** Opens a storage's data again. Undefined when the harness has no `reopen`. */
  readonly reopen: ((storage: Storage) => Promise<Storage>) | undefined
  /** Opens the same data a second time. Undefined when the harness has no `openSecond`. */
  readonly openSecond: ((storage: Storage) => Promise<Storage>) | undefined
}

/** A group of cases: functions by title, each of which rejects when the storage violates the rule. */
export interface StorageCases {
  readonly group: string
  readonly cases: Readonly<Record<string, (stage: StorageCaseContext) => Promise<void>>>
}
