import type { Row } from '../adapter/row.ts'
import type { Dependency } from '../dependency-index.ts'

/** Adjacent rows of a list, in the order of their keys. */
export interface RowPart {
  /** Number of rows before the part. */
  readonly offset: number
  readonly limit: number
}

/** A value that does not belong to one row. When it changes, all rows are read again. */
export interface SharedValue {
  readonly dependency: Dependency
  /** Reads the value, which is compared by `===`. */
  read(): Promise<unknown>
}

/** Reads the rows of a copy. */
export interface RowSource {
  /** The scope of all rows. */
  readonly scope: string
  /** The lists of documents from which rows are made. A row has the key of its documents. */
  readonly lists: readonly Dependency[]
  /** A value from which every row is made. Default: none. */
  readonly shared?: SharedValue
  /** True when rows have the field {@link validUntil}. Default: false. */
  readonly expires?: boolean
  /**
   * Reads a part of all rows.
   *
   * @param now integer ms, UTC.
   */
  readPart(part: RowPart, now: number): Promise<readonly Row[]>
  /**
   * Reads the rows with these keys.
   *
   * @param now integer ms, UTC.
   */
  readKeys(keys: readonly string[], now: number): Promise<readonly Row[]>
}

/** Name of the field with the time at which a row changes although its documents do not: integer ms, UTC. */
export const validUntil = 'validUntil'

/** The time of rows that change only with their documents. A row without a time would be the first in its order. */
export const forever = Number.MAX_SAFE_INTEGER
