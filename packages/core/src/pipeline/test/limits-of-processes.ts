import { createMemoryStorage } from '@halyard/storage-memory'
import { ApiError } from '../../operation/errors.ts'
import type { GrantedLease, QuotaLeaseQuery } from '../../storage/port.ts'
import type { RateLimiter } from '../rate-limit.ts'

/** Leases a part of a quota. */
export type Reserve = (query: QuotaLeaseQuery) => Promise<GrantedLease>

/** Length of the windows of these tests, ms. */
export const windowMs = 1000

/** A host that discards its log. */
export const silent = { log: () => {} }

/** Returns the leases of a storage in memory. */
export const sharedReserve = (): Reserve => {
  const { reserve } = createMemoryStorage().account('acme')
  if (!reserve) throw new Error('memory shares')
  return reserve
}

/** Returns limits that processes share. */
export const limits = (account: number, route: number) => ({ windowMs, account, route, shared: true })

/** Counts a request; returns true if it was admitted, with its headers. */
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
