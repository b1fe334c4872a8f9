import type { Audience } from '../operation/audience.ts'
import type { ChangeListInput, ChangeResult, EnvironmentPath } from '../operation/change-list.ts'
import type { LogOrder } from '../operation/change-log/change-log.ts'
import type { CommitGuard } from '../operation/commit-guard.ts'
import type { ResponseFormat } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { ReferenceTable } from '../operation/reference-row.ts'
import type { UndoTable } from '../operation/undo/undo-table.ts'
import type { EvaluationContext } from '../rules/evaluation/index.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { StoredCollection } from '../storage/collection.ts'
import type { LayeredStorage } from '../storage/layered-storage.ts'
import type { AccountStorage } from '../storage/port.ts'
import type { PolicySelection, StorageView } from './access/authority.ts'
import type { AuthorizeParts } from './authorize.ts'
import type { DecodedCall, Outcome } from './call-state.ts'
import type { CombinedUnits } from './changes/combined-units.ts'
import type { CommitHooks, CommitMode } from './commit-hooks.ts'
import type { OperationTable } from './match.ts'
import type { WriterQueues } from './redo.ts'
import type { WriteOptions } from './write-options.ts'

/** The parts of an engine that executing an operation needs. */
export interface ExecuteParts extends AuthorizeParts {
  readonly table: OperationTable
  readonly options: EngineOptions
  readonly policy: PolicyRules
  readonly accountStorage: AccountStorage
  /** Reads, and decisions about access, for calls that have no view of their own. */
  readonly view: StorageView
  readonly selection: PolicySelection
  readonly format: ResponseFormat
  /**
   * Returns the parts that only writes need.
   *
   * @throws Error when no operation or worker of the engine writes.
   */
  writing(): Writing | Promise<Writing>
  /**
   * Makes the parts that writes need. Each pipeline has its own parts, because they cache which changes webhooks
   * select.
   */
  makeWriting(options: EngineOptions): Writing | Promise<Writing>
  /** True for an operation that runs as part of a list, and so cannot run another list. */
  readonly isPartOfList?: true
  /** The outcome of every commit of this pipeline, for the hooks of the host. */
  readonly commitMode: CommitMode
  /** Assigns the positions of entries in the change log. */
  readonly order: LogOrder
  /**
   * The queues of calls that write to the same documents. The first write creates them, so that reads do not import
   * their code.
   */
  queues: WriterQueues | undefined
  /** Returns the contexts that were evaluated last in an environment, newest first. */
  recentContexts(keys: EnvironmentPath): readonly EvaluationContext[]
  /** Returns a promise that a call waits for after its commit; undefined when there is nothing to wait for. */
  settled(): Promise<void> | undefined
}

/**
 * The parts that only writes need. Only operations and workers that write refer to them, so an engine without such
 * operations and workers does not contain their code.
 */
export interface Writing {
  /** Runs the handler of a writing operation until its commit succeeds. */
  write(parts: ExecuteParts, writing: Writing, call: DecodedCall, options: WriteOptions): Promise<Outcome>
  /** Runs other operations within a call, for operations that combine others. */
  readonly runChanges: RunChanges
  /** The rules by which changes of documents are undone. */
  readonly undo: UndoTable
  /** All collections, whose documents a deletion may remove. */
  readonly collections: readonly StoredCollection[]
  /** The references between all resources. */
  readonly references: ReferenceTable
  /** The collection of environments, whose names are part of the sentences in the change log. */
  readonly environments: StoredCollection
  /** Checks every unit of work before its commit. */
  readonly guard: CommitGuard
  readonly audience: Audience
  /** The hooks of the host; undefined when there are none. */
  readonly hooks: CommitHooks | undefined
}

/**
 * Runs other operations one after the other within a call, each with all stages of a call in process, on a storage that
 * records their commits.
 *
 *  @returns the results of the operations, and the changes to commit.
 */
export type RunChanges = (parts: ExecuteParts, call: DecodedCall, list: ChangeListInput) => Promise<RunChangeList>

/** The results of a list of changes, and the changes to commit. */
export interface RunChangeList {
  readonly results: readonly ChangeResult[]
  readonly units: CombinedUnits
  /** The storage as it would be after the changes. */
  readonly after: LayeredStorage
}
