import type { AccountStorage, Storage } from '@halyard/core/storage'

/** One named promise of a port, for any test runner: it holds when `run` resolves. */
export interface ConformanceCase {
  /** Unique within the group. */
  readonly name: string
  readonly group: string
  run(): Promise<void>
}

/** What a case is handed: the storage that all cases share, and an account in it that no other case uses. */
export interface StorageStage {
  readonly storage: Storage
  readonly account: AccountStorage
  /** An account of this case by name, each time the same one. */
  accountNamed(name: string): AccountStorage
  /** A storage of the case's own, fresh and migrated. */
  open(): Promise<Storage>
  /** Opens a storage's data again; undefined when the harness says that it keeps none. */
  readonly reopen: ((storage: Storage) => Promise<Storage>) | undefined
  /** Opens the same data a second time; undefined when the harness cannot. */
  readonly openBeside: ((storage: Storage) => Promise<Storage>) | undefined
}

/** A group of cases: what is promised, and the steps that see whether it is kept. */
export interface StorageCases {
  readonly group: string
  readonly cases: Readonly<Record<string, (stage: StorageStage) => Promise<void>>>
}
