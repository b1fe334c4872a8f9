import { attributeReader, type ReadAttribute } from './attribute-reference.ts'
import { bucketAfter } from './bucket-hash.ts'
import { attributesOf, type Subject } from './subject.ts'

/** How contexts are placed between 0 and 1, by chance but for each context always the same. */
export interface Bucketing {
  readonly contextKind: string
  /** Where a value falls, 0 to 1. */
  place(value: string): number
  /** Undefined where the attribute is no reference. */
  readonly read: ReadAttribute | undefined
}

const readUserKey = attributeReader('key', 'user')

/**
 * Prepares the placing of contexts.
 *
 * @param by `prefix` what is hashed before the value, without its last dot; `bucketBy` the attribute whose value is hashed, the key where left out;
 *   `contextKind` whose attribute that is, default `user`.
 */
export function bucketing(by: {
  readonly prefix: string
  readonly bucketBy: string | null | undefined
  readonly contextKind: string | undefined
}): Bucketing {
  const contextKind = by.contextKind || 'user'
  const read = by.bucketBy ? attributeReader(by.bucketBy, by.contextKind) : keyReader(contextKind)
  return { contextKind, place: bucketAfter(`${by.prefix}.`), read }
}

function keyReader(contextKind: string): ReadAttribute | undefined {
  return contextKind === 'user' ? readUserKey : attributeReader('key', contextKind)
}

/** Where a context falls, 0 to 1; 0 for one without a text or an integer to hash. */
export function placeOf({ place, read }: Bucketing, subject: Subject): number {
  const value = read?.(subject)
  if (typeof value === 'string') return place(value)
  return Number.isInteger(value) ? place(String(value)) : 0
}

/** Whether there is a context of the kind that is placed. */
export function hasContext({ contextKind }: Bucketing, subject: Subject): boolean {
  return attributesOf(subject, contextKind) !== undefined
}
