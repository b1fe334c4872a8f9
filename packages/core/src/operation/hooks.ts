import type { StatementValue } from '../storage/port.ts'
import type { ReadableChange, ReadableResourceChange } from './change-log/readable-change.ts'

/** Functions of the host that the engine calls for each commit. */
export interface Hooks {
  /**
   * Called before a change is committed, when all rights and rules allow it. It refuses the change by throwing an
   * `ApiError`, which the caller receives; nothing is then written. Any other error becomes `internal_error`, and a
   * call that takes longer than `timeoutMs` becomes `service_unavailable`.
   *
   * When another call has changed a document in the meantime, the change is computed again, and this function is called
   * again.
   */
  beforeCommit?(change: PendingChange): void | Promise<void>
  /**
   * Called once after each commit of this engine. The caller receives the response when this function has ended or
   * `timeoutMs` has passed. An error is logged as `hook-failed` and does not affect the caller. It is not called in a
   * transaction of the host, whose commit the engine does not see, nor after a commit whose outcome is unknown because
   * the connection was lost.
   */
  afterCommit?(change: CommittedChange): void | Promise<void>
  /** Maximum time for which the engine waits for one call of these functions, ms. Default 5,000. */
  readonly timeoutMs?: number
}

/** A change that the engine has committed. */
export interface CommittedChange extends Omit<ReadableChange, 'resources'> {
  /** The changed resources. The first is the resource of the call itself. */
  readonly resources: readonly ChangedResource[]
  /**
   * The changes of a list that is committed as a whole (`applyChanges`), each with its own entry; `id` and `date` are
   * those of the first entry. Default: the change has one entry.
   */
  readonly parts?: readonly CommittedChange[]
}

/** A change that the engine is about to commit. */
export interface PendingChange extends CommittedChange {
  /** True when nothing will be written: for a call with `dryRun`, and for a simulation. */
  readonly dryRun: boolean
  /**
   * Adds an SQL statement to the transaction of the commit: it takes effect with the change, or not at all. In a
   * transaction of the host the statement is part of the host's transaction. It is sent when all hooks have ended, and
   * not in a dry run. When the statement fails, nothing is written, and the caller receives `internal_error`.
   *
   * @param text one statement, with `$1`, `$2`, … for the values.
   * @throws TypeError when the storage is not on Postgres or PGlite, or when the hook has ended.
   */
  addStatement(text: string, values?: readonly StatementValue[]): void
}

/** The change of one resource, with its document. */
export interface ChangedResource extends ReadableResourceChange {
  /**
   * The document with the property names of responses and without secrets; undefined when the change creates the
   * document. Computed when it is first read.
   */
  readonly before: Readonly<Record<string, unknown>> | undefined
  /** The document after the change; undefined when the change deletes it. */
  readonly after: Readonly<Record<string, unknown>> | undefined
}
