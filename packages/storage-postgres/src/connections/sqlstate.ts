/**
 * Meaning of an error of the database or its client:
 *
 * - `unavailable`: the storage cannot respond now;
 * - `fenced`: the account is being moved to another database;
 * - `unmigrated`: the schema was never migrated, or is of an older version;
 * - `over`: the host's transaction has failed or has ended;
 * - `refused`: the transaction was rolled back because of a concurrent write. Nothing of it was written.
 */
export type ErrorKind = 'unavailable' | 'fenced' | 'unmigrated' | 'over' | 'refused'

/**
 * Raised by the function `settle` when a precondition of a batch is false. SQLSTATE classes from `I` up are free for
 * errors of applications.
 */
export const preconditionFailed = 'YH001'

/** Raised by a trigger for a write to an account that is being moved. */
export const accountFenced = 'YH002'

/**
 * Kinds of errors by SQLSTATE, by the class of the SQLSTATE (its first two characters), or by the error code of the
 * socket.
 */
const errorKinds: Readonly<Record<string, ErrorKind>> = {
  [preconditionFailed]: 'refused',
  [accountFenced]: 'fenced',
  '23505': 'refused', // unique_violation
  '40001': 'refused', // serialization_failure
  '40P01': 'refused', // deadlock_detected

  '08': 'unavailable', // connection exceptions
  '53': 'unavailable', // out of connections, memory or disk
  '57P01': 'unavailable', // admin_shutdown
  '57P02': 'unavailable', // crash_shutdown
  '57P03': 'unavailable', // cannot_connect_now
  '57P05': 'unavailable', // idle_session_timeout
  '57014': 'unavailable', // query_canceled: the host's statement_timeout
  CONNECTION_CLOSED: 'unavailable', // of postgres.js, as the next three
  CONNECTION_DESTROYED: 'unavailable',
  CONNECTION_ENDED: 'unavailable',
  CONNECT_TIMEOUT: 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EHOSTUNREACH: 'unavailable',
  ENETUNREACH: 'unavailable',
  ENOENT: 'unavailable', // the Unix socket of a server that is down
  ENOTFOUND: 'unavailable',
  EAI_AGAIN: 'unavailable',
  EPIPE: 'unavailable',
  ETIMEDOUT: 'unavailable',

  // read_only_sql_transaction: the server became a standby, or the connection was opened before it was promoted.
  '25006': 'unavailable',
  '25P01': 'over', // no_active_sql_transaction
  '25P02': 'over', // in_failed_sql_transaction

  '3F000': 'unmigrated', // invalid_schema_name
  '42P01': 'unmigrated', // undefined_table
  '42703': 'unmigrated', // undefined_column
  '42883': 'unmigrated', // undefined_function
}

/**
 * Messages without a code that clients use when a connection breaks during a query, or a pool or database was closed.
 */
const lostConnection =
  /connection (terminated|timeout|error|ended)|not queryable|trying to connect|after calling end|is clos(ed|ing)/i

/** Classifies an error that a driver threw. Undefined means a defect, which is rethrown unchanged. */
export function classifyError(error: unknown): ErrorKind | undefined {
  const code = codeOf(error)
  if (code !== undefined) return errorKinds[code] ?? errorKinds[code.slice(0, 2)]
  return error instanceof Error && lostConnection.test(error.message) ? 'unavailable' : undefined
}

/** Tests whether a storage has refused a call because the account is being moved. */
export function isAccountFenced(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === accountFenced
}

/** Tests whether an error means that a row with the same key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/** Tests whether the database rolled the transaction back because of a concurrent one. */
export function isRolledBack(error: unknown): boolean {
  return codeOf(error)?.startsWith('40') ?? false
}

/** Tests whether the database does not have a function. */
export function isUndefinedFunction(error: unknown): boolean {
  return codeOf(error) === '42883'
}

/**
 * Tests whether the server refused one statement and the connection is still usable. After other errors the connection
 * may be broken, or lead to a server that is no longer the primary.
 */
export function isStatementError(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  // Every SQLSTATE that the server sends contains a digit; the codes of sockets contain none.
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !/^(08|57P|25006)/.test(code)
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : undefined
}
