/** Something that is made when it is first asked for, and kept. */
export interface Lazy<T> {
  get(): T
}

/**
 * Puts work off until its result is asked for.
 *
 * @param make gives the same whenever it is called.
 */
export function lazily<T extends object>(make: () => T): Lazy<T> {
  let made: T | undefined
  return { get: () => (made ??= make()) }
}
