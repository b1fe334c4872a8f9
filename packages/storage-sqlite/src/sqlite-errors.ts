/**
 * Meaning of an error of a database:
 *
 * - `refused`: a constraint was violated, so the transaction was undone;
 * - `busy`: another connection has locked the database;
 * - `unmigrated`: a table or a column does not exist;
 * - `unavailable`: the database cannot respond now.
 */
export type ErrorKind = 'refused' | 'busy' | 'unmigrated' | 'unavailable'

// Databases report errors by a code, by a number, or only by a message, so the names of SQLite's result codes and its
// fixed messages are read from all of them.
const kinds: readonly (readonly [pattern: RegExp, kind: ErrorKind])[] = [
  [/SQLITE_CONSTRAINT|constraint failed/i, 'refused'],
  [/SQLITE_BUSY|SQLITE_LOCKED|database (table )?is locked/i, 'busy'],
  [/no such (table|column)|has no column named/i, 'unmigrated'],
  [/SQLITE_(FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM)/i, 'unavailable'],
  [/disk I\/O error|disk is full|unable to open|readonly database|malformed|is not a database/i, 'unavailable'],
  [/(connection|database) is not open|closed|network|fetch failed|timed? ?out|overloaded|reset/i, 'unavailable'],
]

/** Classifies an error that a database threw. Undefined means a defect, which is rethrown unchanged. */
export function classifyError(error: unknown): ErrorKind | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errstr } = error as { readonly code?: unknown; readonly errstr?: unknown }
  const text = [code, errstr, error.message].filter((part) => typeof part === 'string').join(' ')
  return kinds.find(([pattern]) => pattern.test(text))?.[1]
}
