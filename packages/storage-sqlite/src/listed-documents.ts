/**
 * Collections that only ingestion writes and that no list returns. A report of events changes thousands of their
 * documents.
 */
const unlistedCollections = ['measured-unit', 'evaluation-report']

/** Returns true when the documents of a collection are in the indexes of terms and of orders. */
export function isListed(collection: string): boolean {
  return !unlistedCollections.includes(collection)
}

/**
 * Returns the condition of these indexes, on a column. SQLite uses such an index only for a statement that contains the
 * same condition, so a change of the condition needs a migration.
 */
export function listedSql(column = 'collection'): string {
  return `${column} not in (${unlistedCollections.map((name) => `'${name}'`).join(', ')})`
}
