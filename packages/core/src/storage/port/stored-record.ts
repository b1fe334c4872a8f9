import type { DocumentId, Fields } from './document.ts'
import type { SetId } from './key-set.ts'
import type { Sample, SeriesId } from './samples.ts'
import type { QueueId, Task } from './tasks.ts'

/** One record of an account as it is stored; `member` is a key of a set. */
export type StoredRecord =
  | {
      readonly kind: 'document'
      readonly id: DocumentId
      readonly version: number
      readonly body: unknown
      readonly fields: Fields
      /** Names of secret properties that the body lacks: only in a dump of a past state. Default: no properties. */
      readonly withheld?: readonly string[]
    }
  | { readonly kind: 'member'; readonly set: SetId; readonly member: string }
  | { readonly kind: 'sample'; readonly series: SeriesId; readonly sample: Sample }
  | { readonly kind: 'task'; readonly queue: QueueId; readonly task: Task }
