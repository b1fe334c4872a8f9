/**
 * Identifies a document. A scope is an address such as `proj/web:env/production`, or the empty string for the account
 * itself. Levels are joined by `:`; the caller escapes a `:` in a key. A scope lies under another scope when it is
 * equal to that scope or continues it after a `:`. So `proj/p2` does not lie under `proj/p`.
 */
export interface DocumentId {
  readonly collection: string
  readonly scope: string
  readonly key: string
}

/** A document as it is stored. */
export interface StoredDocument {
  readonly key: string
  readonly scope: string
  /** 1 after insertion; each replacement adds 1. */
  readonly version: number
  /** JSON value. Adapters may return the same object many times, so it is deeply frozen or never shared. */
  readonly body: unknown
}

/**
 * The narrow row of a document: JSON scalars and lists of strings. Lists filter and sort by narrow rows, and make list
 * items from them.
 */
export type Fields = Readonly<Record<string, FieldValue>>
/** Value of a field of a narrow row. */
export type FieldValue = string | number | boolean | null | readonly string[]
