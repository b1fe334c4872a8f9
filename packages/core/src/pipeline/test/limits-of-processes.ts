import { createMemoryStorage } from '@halyard/storage-memory'
import { ApiError } from '../../operation/errors.ts'
import type { GrantedShare, ShareQuery } from '../../storage/port.ts'
import type { RateLimiter } from '../rate-limit.ts'

/** How a storage gives out shares. */
export type Reserve = (share: ShareQuery) => Promise<GrantedShare>

/** How long the windows of these tests are, in milliseconds. */
export const windowMs = 1000

/** A log that keeps nothing. */
export const silent = { log: () => {} }

/** Shares of a storage in memory. */
export const sharedReserve = (): Reserve => {
  const { reserve } = createMemoryStorage().account('acme')
  if (!reserve) throw new Error('memory shares')
  return reserve
}

/** Limits that processes share. */
export const limits = (account: number, route: number) => ({ windowMs, account, route, shared: true })

/** Whether a request is let in, and the headers that it gets. */
export async function request(limiter: RateLimiter, caller: string, operation: string, now: number) {
  const headers: Record<string, string> = {}
  try {
    await limiter.admit(caller, operation, now, headers)
    return { admitted: true, headers }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    return { admitted: false, headers }
  }
}
