const unavailable: unique symbol = Symbol.for('halyard.storage.unavailable')

/** The error of a storage that cannot be reached now. */
export interface StorageUnavailable extends Error {
  readonly [unavailable]: true
}

/**
 * Creates the error with which an adapter reports that it cannot respond now; the engine responds with 503
 * `service_unavailable`.
 *
 * @param reason for the log, never part of a response; without secrets.
 * @param cause the driver's own error.
 */
export function storageUnavailable(reason: string, cause?: unknown): StorageUnavailable {
  return Object.assign(new Error(`storage unavailable: ${reason}`, { cause }), { [unavailable]: true as const })
}

/** Returns true for an error that `storageUnavailable` created, even if another copy of this package created it. */
export function isStorageUnavailable(error: unknown): error is StorageUnavailable {
  return error instanceof Error && (error as Partial<StorageUnavailable>)[unavailable] === true
}
