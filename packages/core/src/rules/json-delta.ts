import type { Operation } from 'fast-json-patch'

/** How one JSON value became another, and the way back; both are JSON Patches (RFC 6902). */
export interface JsonDelta {
  readonly patch: readonly Operation[]
  readonly inverse: readonly Operation[]
}

type JsonObject = Readonly<Record<string, unknown>>

export type DeltaOf = (before: JsonObject | undefined, after: JsonObject | undefined) => JsonDelta

let loaded: Promise<DeltaOf> | undefined

/**
 * The function that tells the difference of two JSON objects; undefined stands for an object that is not there, which the
 * patch puts in or takes away whole. What compares them is loaded with the first change: a process that starts to answer
 * questions need not wait for it.
 */
export function loadJsonDelta(): Promise<DeltaOf> {
  loaded ??= import('fast-json-patch').then(({ default: { compare } }) => (before, after) => {
    if (before && after) return { patch: compare(before, after), inverse: compare(after, before) }
    const put = (value: JsonObject | undefined): Operation[] =>
      value ? [{ op: 'add', path: '', value }] : [{ op: 'remove', path: '' }]
    return { patch: put(after), inverse: put(before) }
  })
  return loaded
}
