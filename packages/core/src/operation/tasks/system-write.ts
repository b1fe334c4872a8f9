import type { Caller } from '../caller.ts'
import type { WriteContext } from '../context.ts'

/**
 * Commits the writes of `handle`, with a change log entry if callers could have made the change.
 *
 * @param id name of the work in the change log.
 * @param author the caller whose rights apply. Default: the engine itself, which may do everything.
 * @returns true when the writes were committed; false when another process does the same work, or when other calls keep
 *   changing the same documents.
 */
export type SystemWrite = (
  id: string,
  handle: (context: WriteContext) => Promise<void>,
  author?: Caller,
) => Promise<boolean>
