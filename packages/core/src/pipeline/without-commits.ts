import { LogOrder } from '../operation/change-log/change-log.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import { type CallStorage, uncachedReads } from '../storage/cached-reads.ts'
import { commitOutcome } from '../storage/commit-outcome.ts'
import { overlayStorage } from '../storage/overlay-storage.ts'
import type { AccountStorage } from '../storage/port.ts'
import type { CommitMode } from './commit-hooks.ts'
import type { WriterQueues } from './redo.ts'

/** The parts of a pipeline that write. */
interface WritingParts {
  readonly options: EngineOptions
  readonly accountStorage: AccountStorage
  readonly storage: CallStorage
  readonly commitMode: CommitMode
  readonly order: LogOrder
  readonly queues: WriterQueues | undefined
}

/**
 * Returns the same parts over a storage that checks each commit and discards it: a call runs as usual, but changes
 * nothing (docs/decisions/0001-follow-one-set-of-http-conventions.md#d36-dry-run).
 */
export function withoutCommits<Parts extends WritingParts>(pipeline: Parts): Parts {
  const { storage } = overlayStorage(pipeline.accountStorage, commitOutcome)
  return {
    ...pipeline,
    accountStorage: storage,
    storage: uncachedReads(storage),
    commitMode: 'discarded',
    // The discarded entry must not take a position in the change log.
    order: new LogOrder(pipeline.options.host),
    queues: undefined,
  }
}
