import type { AccountStorage } from '../storage/port.ts'
import type { Host } from './context.ts'

/**
 * What an engine does now and then to keep its storage small and quick. It may be stopped at any moment and run in several
 * processes at once.
 */
export type Upkeep = (
  storage: AccountStorage,
  host: Pick<Host, 'now'>,
  options: CompactOptions | undefined,
) => Promise<Compacted>

/** How much upkeep is done at once, and how long. */
export interface CompactOptions {
  /** Days of environments to summarise at most. Default: all that are over. */
  readonly limit?: number
  /** No day is begun after this time; integer ms, UTC. Default: none. */
  readonly deadline?: number
  /** Once it is aborted no day is begun. Default: none. */
  readonly signal?: AbortSignal
  /** Told after each day how many were summarised by this call. */
  readonly progress?: (days: number) => void
}

/** Days that were summarised, and whether some are left. */
export interface Compacted {
  readonly days: number
  readonly more: boolean
}
