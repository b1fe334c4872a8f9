import type { AccountStorage } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { Caller } from './caller.ts'
import type { Host } from './context.ts'

/** Who an access token stands for, and how long. */
export interface Identified {
  readonly caller: Caller
  /** Integer ms, UTC: from then on the token is nobody's. Undefined for one that stays. */
  readonly expiresAt: number | undefined
}

/** Knows access tokens. The pipeline knows no resource, so whoever keeps tokens brings this. */
export interface Identifier {
  /**
   * Finds the caller behind an access token, also of one that has expired.
   *
   * @returns undefined for a token that is unknown or deleted, or whose member is gone.
   */
  find(reads: StorageReads, host: Host, token: string): Promise<Identified | undefined>
  /**
   * Notes that a caller's token is used.
   *
   * @param now integer ms, UTC.
   * @returns undefined where that was noted not long ago.
   */
  recordUse(storage: AccountStorage, caller: Caller, now: number): Promise<void> | undefined
}
