import { attributeReader, type ReadAttribute } from './attribute-reference.ts'
import { bucketHasher } from './bucket-hash.ts'
import { attributesOf, type Subject } from './subject.ts'

/** Maps contexts to bucket values from 0 to 1: pseudo-random, but always the same for one context. */
export interface Bucketing {
  readonly contextKind: string
  /** Returns the bucket value of an attribute value, 0 to 1. */
  hash(value: string): number
  /** Reads the attribute by which contexts are bucketed; undefined if its name is not a valid reference. */
  readonly read: ReadAttribute | undefined
}

const readUserKey = attributeReader('key', 'user')

/**
 * Prepares the mapping of contexts to bucket values.
 *
 * @param options `prefix`: text hashed before the value, without its last dot; `bucketBy`: attribute whose value is
 *   hashed, default the key; `contextKind`: kind of the contexts that have the attribute, default `user`.
 */
export function bucketing(options: {
  readonly prefix: string
  readonly bucketBy: string | null | undefined
  readonly contextKind: string | undefined
}): Bucketing {
  const contextKind = options.contextKind || 'user'
  const read = options.bucketBy ? attributeReader(options.bucketBy, options.contextKind) : keyReader(contextKind)
  return { contextKind, hash: bucketHasher(`${options.prefix}.`), read }
}

function keyReader(contextKind: string): ReadAttribute | undefined {
  return contextKind === 'user' ? readUserKey : attributeReader('key', contextKind)
}

/** Returns the bucket value of a context, 0 to 1; 0 if the attribute is neither a text nor an integer. */
export function bucketValueOf({ hash, read }: Bucketing, subject: Subject): number {
  const value = read?.(subject)
  if (typeof value === 'string') return hash(value)
  return Number.isInteger(value) ? hash(String(value)) : 0
}

/** Returns true if the subject has a context of the kind that is bucketed. */
export function hasContext({ contextKind }: Bucketing, subject: Subject): boolean {
  return attributesOf(subject, contextKind) !== undefined
}
