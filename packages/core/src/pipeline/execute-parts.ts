import type { LogOrder } from '../operation/change-log/change-log.ts'
import type { ResponseFormat } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { AccountStorage } from '../storage/port.ts'
import type { WriterLines } from '../storage/writer-lines.ts'
import type { PolicySelection, StorageView } from './access/authority.ts'
import type { AuthorizeParts } from './authorize.ts'
import type { Writing } from './writing.ts'

/** The parts of an engine that executing an operation needs. */
export interface ExecuteParts extends AuthorizeParts {
  readonly options: EngineOptions
  readonly policy: PolicyRules
  readonly accountStorage: AccountStorage
  /** Reads and decisions for calls, unless a call has its own. */
  readonly view: StorageView
  readonly selection: PolicySelection
  readonly format: ResponseFormat
  /**
   * Returns what only writes need.
   *
   * @throws Error when no operation or worker of the engine writes.
   */
  writing(): Writing | Promise<Writing>
  /** Assigns the positions of entries in the change log. */
  readonly order: LogOrder
  /** The lines of the calls that write to the same documents. */
  readonly lines: WriterLines
  /** Returns what a call waits for after its commit; undefined when there is nothing to wait for. */
  settled(): Promise<void> | undefined
}
