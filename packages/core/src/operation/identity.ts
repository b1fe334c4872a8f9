import type { AccountStorage } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { Caller } from './caller.ts'
import type { Host } from './context.ts'
import type { HostIdentity } from './host-identity.ts'

/** The caller of an access token, and the expiry of the token. */
export interface TokenIdentity {
  readonly caller: Caller
  /** Time from which the token is invalid: integer ms, UTC. Undefined for a token that does not expire. */
  readonly expiresAt: number | undefined
}

/**
 * Finds the callers of access tokens. The resource that stores tokens implements this interface, because the pipeline
 * does not depend on resources.
 */
export interface Identifier {
  /**
   * Finds the caller of an access token, even of an expired one.
   *
   * @returns undefined for a token that is unknown or deleted, or whose member was deleted.
   */
  find(reads: StorageReads, host: Host, token: string): Promise<TokenIdentity | undefined>
  /**
   * Finds the caller that a host names.
   *
   * @returns undefined when there is no such member.
   * @throws TypeError naming the property of the identity that is invalid, which is a defect of the host.
   */
  findIdentity(reads: StorageReads, identity: HostIdentity): Promise<Caller | undefined>
  /**
   * Records the time at which a caller's token was used.
   *
   * @param now integer ms, UTC.
   * @returns undefined when a recent use is recorded already.
   */
  recordUse(storage: AccountStorage, caller: Caller, now: number): Promise<void> | undefined
}
