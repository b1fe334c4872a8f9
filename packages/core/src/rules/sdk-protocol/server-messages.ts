import type { FlagData, Ruleset, SegmentData } from '../evaluation/index.ts'

/** Section of the data that server-side SDKs store. */
export type DataKind = 'flags' | 'segments'

/** Serializes all data that server-side SDKs evaluate: `{"flags": {key: …}, "segments": {key: …}}`. */
export function allDataText({ flags, segments }: Ruleset): string {
  return JSON.stringify({ flags: byKey(flags.entries()), segments: byKey(segments.entries()) })
}

/** Returns only the flags, or only the segments, by key. */
export function dataOf(ruleset: Ruleset, kind: DataKind): Readonly<Record<string, FlagData | SegmentData>> {
  return byKey<FlagData | SegmentData>(ruleset[kind].entries())
}

/**
 * Creates the event that replaces all data of an SDK.
 *
 * @param text result of {@link allDataText}.
 */
export function putMessage(text: string): string {
  return message('put', `{"path":"/","data":${text}}`)
}

/**
 * Creates the event that replaces one flag or segment. An SDK ignores it unless its version is higher than the stored
 * one.
 */
export function patchMessage(kind: DataKind, data: FlagData | SegmentData): string {
  return message('patch', JSON.stringify({ path: `/${kind}/${data.key}`, data }))
}

/**
 * Creates the event that removes one flag or segment.
 *
 * @param version must be higher than that of the removed item.
 */
export function deleteMessage(kind: DataKind, key: string, version: number): string {
  return message('delete', JSON.stringify({ path: `/${kind}/${key}`, version }))
}

/** Creates the event that replaces all values of a client-side SDK. */
export function clientPutMessage(text: string): string {
  return message('put', text)
}

/** A comment without content, which keeps the stream alive. */
export const heartbeatMessage = ':\n'

/**
 * Formats an event. JSON text has no line breaks, so an event is one line of data (HTML Standard, "Server-sent
 * events").
 */
export function message(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`
}

function byKey<T>(entries: Iterable<[string, { readonly data: T }]>): Record<string, T> {
  return Object.fromEntries(Array.from(entries, ([key, { data }]) => [key, data]))
}
