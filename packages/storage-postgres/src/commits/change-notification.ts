import type { Change } from '@halyard/core/storage'

/** The notice that a commit sends to the storage objects that listen, as part of its own transaction. */
export interface Notice {
  readonly channel: string
  readonly payload: string
}

/** A batch, and the notice that other storage objects receive when it is committed. */
export interface BatchWithNotice {
  readonly batch: readonly Change[]
  readonly notice: Notice | undefined
}
