const unavailable: unique symbol = Symbol.for('halyard.storage.unavailable')

/** An error that says: the storage cannot be reached now. */
export interface StorageUnavailable extends Error {
  readonly [unavailable]: true
}

/**
 * Makes the error by which an adapter says that it cannot answer now; the engine answers 503 `service_unavailable`.
 *
 * @param reason for the log, never for the wire; without secrets.
 * @param cause the driver's own error.
 */
export function storageUnavailable(reason: string, cause?: unknown): StorageUnavailable {
  return Object.assign(new Error(`storage unavailable: ${reason}`, { cause }), { [unavailable]: true as const })
}

/** Whether an error was made by `storageUnavailable`, also by another copy of this package. */
export function isStorageUnavailable(error: unknown): error is StorageUnavailable {
  return error instanceof Error && (error as Partial<StorageUnavailable>)[unavailable] === true
}
