import type { Change } from '@halyard/core/storage'

/** The change notification that a commit sends to the storage objects that listen, as part of its own transaction. */
export interface ChangeNotification {
  readonly channel: string
  readonly payload: string
}

/** A batch, and the notification that other storage objects receive when it is committed. */
export interface BatchWithNotification {
  readonly batch: readonly Change[]
  readonly notification: ChangeNotification | undefined
}
