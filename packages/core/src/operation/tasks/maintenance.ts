import type { AccountStorage } from '../../storage/port.ts'
import type { Host } from '../context.ts'

/** Keeps the storage small and fast. It may be stopped at any moment, and run in several processes at once. */
export type Maintenance = (
  storage: AccountStorage,
  host: Pick<Host, 'now'>,
  options: CompactOptions | undefined,
) => Promise<CompactionResult>

/** How much maintenance runs, and for how long. */
export interface CompactOptions {
  /** Maximum number of days of environments to summarize. Default: all past days. */
  readonly limit?: number
  /** No day is begun after this time; integer ms, UTC. Default: none. */
  readonly deadline?: number
  /** Once it is aborted no day is begun. Default: none. */
  readonly signal?: AbortSignal
  /** Receives, after each day, the number of days that this call has summarized. */
  readonly progress?: (days: number) => void
}

/** The result of one run of maintenance. */
export interface CompactionResult {
  /** Number of days that were summarized. */
  readonly days: number
  /** Whether more days are waiting. */
  readonly more: boolean
}
