import type { DocumentId } from './document.ts'
import type { SetId } from './member-set.ts'
import type { SeriesId } from './samples.ts'
import type { QueueId } from './tasks.ts'

/** What a commit has changed, as others are told. */
export type Touched =
  | { readonly what: 'document'; readonly id: DocumentId }
  /** Documents of a collection, at and under a scope. */
  | { readonly what: 'collection'; readonly collection: string; readonly scope: string }
  /** Everything at and under a scope. */
  | { readonly what: 'scope'; readonly scope: string }
  | { readonly what: 'members'; readonly set: SetId }
  | { readonly what: 'samples'; readonly series: SeriesId }
  | { readonly what: 'tasks'; readonly queue: QueueId }

/** Listens for what others commit, until it is stopped. */
export interface Watching {
  /**
   * Whether all is told at present: false while it is not known what others commit. Where something may have been missed
   * meanwhile `anything` is told before it is true again.
   */
  live(): boolean
  stop(): Promise<void>
}
