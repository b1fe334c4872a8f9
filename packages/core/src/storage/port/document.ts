/**
 * Where a document lives. A scope is an address such as `proj/web:env/production` (levels joined by `:`, in which
 * a key's own `:` is escaped by the caller), or the empty string for the account itself. A scope lies under
 * another when it is equal to it or continues it after a `:`; `proj/p2` does not lie under `proj/p`.
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
  /** 1 after insertion, one more with each replacement. */
  readonly version: number
  /** JSON value. Adapters may hand out the same object many times, so it is deeply frozen or never shared. */
  readonly body: unknown
}

/** The narrow row of a document: what lists filter and sort by, and what they show of it. JSON scalars and string lists. */
export type Fields = Readonly<Record<string, FieldValue>>
/** What a field of a narrow row can be. */
export type FieldValue = string | number | boolean | null | readonly string[]
