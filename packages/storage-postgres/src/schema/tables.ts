/** Names of the tables of one schema, quoted and qualified for use in SQL text. */
export interface Tables {
  readonly schema: string
  /** The channel of `pg_notify` on which all processes that use the schema notify each other. */
  readonly channel: string
  readonly documents: string
  readonly members: string
  readonly samples: string
  readonly tasks: string
  /** Table `openings`: ordering keys whose first task was removed, so that `take` must examine the next one. */
  readonly unblockedKeys: string
  /** SQL function that returns hashes of the terms of a sample, for the index of terms. */
  readonly termHashes: string
  readonly quotaLeases: string
  /**
   * SQL function that returns hashes of the field values of a document, for the index that finds documents by these
   * values.
   */
  readonly documentTerms: string
  /** SQL function that returns the same hashes for the terms of a query. */
  readonly queryHashes: string
  /** The function that returns the terms for a part of a text. */
  readonly trigrams: string
  readonly migrations: string
  /** SQL function that makes a statement fail when the number of changed rows is not the expected number. */
  readonly settle: string
  /** The function that deletes everything under scopes, and all documents with certain field values. */
  readonly sweep: string
  /** The function that lists the documents at and under a scope that have certain field values. */
  readonly list: string
}

/**
 * Returns the names of the tables of a schema.
 *
 * @param schema 1 to 40 characters of `[a-z0-9_]`, not starting with a digit. It is the only input that becomes part of
 *   SQL text, and it is short enough to be part of a statement's name, of which Postgres keeps 63 bytes.
 * @throws TypeError for any other name.
 */
export function tablesOf(schema: string): Tables {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new TypeError(
      `schema: must be 1 to 40 characters of [a-z0-9_], not starting with a digit, but is ${JSON.stringify(schema)}`,
    )
  }
  const qualified = (table: string) => `"${schema}".${table}`
  return {
    schema: `"${schema}"`,
    channel: `halyard_${schema}`,
    documents: qualified('documents'),
    members: qualified('members'),
    samples: qualified('samples'),
    tasks: qualified('tasks'),
    unblockedKeys: qualified('openings'),
    termHashes: qualified('term_hashes'),
    quotaLeases: qualified('shares'),
    documentTerms: qualified('document_terms'),
    queryHashes: qualified('query_hashes'),
    trigrams: qualified('trigrams'),
    migrations: qualified('migrations'),
    settle: qualified('settle'),
    sweep: qualified('sweep'),
    list: qualified('list_matching'),
  }
}
