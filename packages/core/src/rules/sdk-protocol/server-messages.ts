import type { FlagData, Ruleset, SegmentData } from '../evaluation/index.ts'

/** Where something stands in what server-side SDKs hold. */
export type DataKind = 'flags' | 'segments'

/** Everything that server-side SDKs evaluate by, as JSON: `{"flags": {key: …}, "segments": {key: …}}`. */
export function allDataText({ flags, segments }: Ruleset): string {
  return JSON.stringify({ flags: byKey(flags.entries()), segments: byKey(segments.entries()) })
}

/** The flags alone, or the segments, by key. */
export function dataOf(ruleset: Ruleset, kind: DataKind): Readonly<Record<string, FlagData | SegmentData>> {
  return byKey<FlagData | SegmentData>(ruleset[kind].entries())
}

/**
 * The event that replaces all that an SDK holds.
 *
 * @param text as {@link allDataText} makes it.
 */
export function putMessage(text: string): string {
  return message('put', `{"path":"/","data":${text}}`)
}

/** The event that replaces one flag or segment. An SDK passes over what has not a higher version than what it holds. */
export function patchMessage(kind: DataKind, data: FlagData | SegmentData): string {
  return message('patch', JSON.stringify({ path: `/${kind}/${data.key}`, data }))
}

/**
 * The event that removes one flag or segment.
 *
 * @param version higher than that of what is removed.
 */
export function deleteMessage(kind: DataKind, key: string, version: number): string {
  return message('delete', JSON.stringify({ path: `/${kind}/${key}`, version }))
}

/** The event that replaces all values that a client-side SDK holds. */
export function clientPutMessage(text: string): string {
  return message('put', text)
}

/** A comment: it says nothing but that the stream is alive. */
export const heartbeatMessage = ':\n'

/** JSON text has no line breaks, so an event is one line of data (HTML Standard, "Server-sent events"). */
function message(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`
}

function byKey<T>(entries: Iterable<[string, { readonly data: T }]>): Record<string, T> {
  return Object.fromEntries(Array.from(entries, ([key, { data }]) => [key, data]))
}
