import type { Documents, Versioned } from './collection.ts'

/**
 * The body of a stored document as its collection declares it. Storage does not know the types of documents; every write
 * passed this one.
 */
export function bodyOf<T extends Versioned, A extends string>(
  _collection: Documents<T, A>,
  document: { readonly body: unknown } | undefined,
): T | undefined {
  return document?.body as T | undefined
}

/** A document with its version. The compiler cannot tell that `T` has no other property than these. */
export function withVersion<T extends Versioned>(document: Omit<T, 'version'>, version: number): T {
  return { ...document, version } as T
}
