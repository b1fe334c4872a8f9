import type { AccountStorage } from '../../storage/port.ts'
import type { Host } from '../context.ts'
import type { SystemWrite } from './system-write.ts'

/**
 * Summarizes or deletes old data, so that the storage stays small and fast. It may be stopped at any time and may run
 * in several processes at the same time.
 *
 * It uses `write` for every change that callers can see, so that the change log has an entry.
 */
export type Maintenance = (
  storage: AccountStorage,
  host: Pick<Host, 'now'>,
  options: CompactOptions | undefined,
  write: SystemWrite,
) => Promise<CompactionResult>

/** Limits of one run of maintenance. */
export interface CompactOptions {
  /** Maximum number of days to summarize, over all environments. Default: all past days. */
  readonly limit?: number
  /** Time after which no further day is begun; integer ms, UTC. Default: no limit. */
  readonly deadline?: number
  /** A signal; once it is aborted, no further day is begun. */
  readonly signal?: AbortSignal
  /** Receives, after each day, the number of days that this call has summarized. */
  readonly progress?: (days: number) => void
}

/** The result of one run of maintenance. */
export interface CompactionResult {
  /** Number of days that were summarized. */
  readonly days: number
  /** True when more days are waiting. */
  readonly more: boolean
}
