import type { LogPosition } from './change-log.ts'

/** Returns the id of an entry. The id contains the time of the entry, so that a lookup needs no index. */
export function entryId({ at, id }: LogPosition): string {
  return `${at.toString(36)}-${id}`
}

/** Parses an id that `entryId` made. Returns undefined when the text is not the id of an entry. */
export function parseEntryId(text: string): LogPosition | undefined {
  const [, time, id] = /^([0-9a-z]{1,11})-(.+)$/.exec(text) ?? []
  const at = Number.parseInt(time ?? '', 36)
  return id !== undefined && Number.isSafeInteger(at) ? { at, id } : undefined
}
