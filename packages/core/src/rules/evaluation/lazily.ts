/** Something that is made of data when it is first asked for, and kept. */
export interface Lazy<D, T> {
  /** What it is made of: at hand without making anything. */
  readonly data: D
  get(): T
}

/**
 * Puts work off until its result is asked for.
 *
 * @param make gives the same whenever it is called.
 */
export function lazily<D, T extends object>(data: D, make: (data: D) => T): Lazy<D, T> {
  let made: T | undefined
  return { data, get: () => (made ??= make(data)) }
}
