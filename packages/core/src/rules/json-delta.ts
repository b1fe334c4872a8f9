import fjp, { type Operation } from 'fast-json-patch'

/** How one JSON value became another, and the way back; both are JSON Patches (RFC 6902). */
export interface JsonDelta {
  readonly patch: readonly Operation[]
  readonly inverse: readonly Operation[]
}

type JsonObject = Readonly<Record<string, unknown>>

/**
 * The difference of two JSON objects; undefined stands for an object that is not there, which the patch puts in or
 * takes away whole.
 */
export function jsonDelta(before: JsonObject | undefined, after: JsonObject | undefined): JsonDelta {
  if (before && after) return { patch: fjp.compare(before, after), inverse: fjp.compare(after, before) }
  const put = (value: JsonObject | undefined): Operation[] =>
    value ? [{ op: 'add', path: '', value }] : [{ op: 'remove', path: '' }]
  return { patch: put(after), inverse: put(before) }
}
