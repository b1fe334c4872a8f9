/** A value that is created on first use and cached. */
export interface Lazy<T> {
  get(): T
}

/**
 * Defers the creation of a value until it is first used.
 *
 * @param make creates the value; every call must return the same.
 */
export function lazily<T extends object>(make: () => T): Lazy<T> {
  let value: T | undefined
  return { get: () => (value ??= make()) }
}
