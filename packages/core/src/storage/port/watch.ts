import type { DocumentId } from './document.ts'
import type { SetId } from './key-set.ts'
import type { SeriesId } from './samples.ts'
import type { QueueId } from './tasks.ts'

/** Records that a commit has changed, as the storage reports them. */
export type TouchedRecords =
  | { readonly kind: 'document'; readonly id: DocumentId }
  /** Documents of a collection, at and under a scope. */
  | { readonly kind: 'collection'; readonly collection: string; readonly scope: string }
  /** Everything at and under a scope. */
  | { readonly kind: 'scope'; readonly scope: string }
  | { readonly kind: 'keys'; readonly set: SetId }
  | { readonly kind: 'samples'; readonly series: SeriesId }
  | { readonly kind: 'tasks'; readonly queue: QueueId }

/** A subscription to the commits of all processes. */
export interface StorageWatch {
  /**
   * Returns true while the storage reports every commit, and false while it may miss commits of other processes. Before
   * it is true again the storage reports `anything` if it may have missed a commit.
   */
  live(): boolean
  stop(): Promise<void>
}
