/**
 * Identifies a document. A scope is an address such as `proj/web:env/production` (levels joined by `:`, in which the
 * caller escapes a `:` of a key), or the empty string for the account itself. A scope lies under another when it is
 * equal to it or continues it after a `:`; `proj/p2` does not lie under `proj/p`.
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
 * The narrow row of a document, by which lists filter and sort, and from which they make list items. JSON scalars and
 * string lists.
 */
export type Fields = Readonly<Record<string, FieldValue>>
/** Value of a field of a narrow row. */
export type FieldValue = string | number | boolean | null | readonly string[]
