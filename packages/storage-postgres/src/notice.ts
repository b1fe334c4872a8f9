/** The notice that a commit sends to the storage objects that listen, as part of its own transaction. */
export interface Notice {
  readonly channel: string
  readonly payload: string
}
