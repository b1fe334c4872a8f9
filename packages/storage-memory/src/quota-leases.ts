import type { GrantedLease, QuotaLeaseQuery } from '@halyard/core/storage'

/** The leased amounts of quotas that the engines on one storage share. */
export interface QuotaLeases {
  reserve(query: QuotaLeaseQuery): GrantedLease
}

interface Window {
  /** End of the window, ms. */
  readonly until: number
  used: number
}

/** Makes an empty table of leases. Windows that have ended are removed when a newer window starts. */
export function createQuotaLeases(): QuotaLeases {
  // Windows by key, then by start.
  const windows = new Map<string, Map<number, Window>>()
  let newest = Number.NEGATIVE_INFINITY

  function sweep(before: number): void {
    for (const [key, byStart] of windows) {
      for (const [start, { until }] of byStart) if (until <= before) byStart.delete(start)
      if (byStart.size === 0) windows.delete(key)
    }
  }

  return {
    reserve({ key, window, until, limit, requested }) {
      if (window > newest) {
        newest = window
        // The clocks of two processes may differ by the length of a window.
        sweep(2 * window - until)
      }
      const byStart = windows.get(key) ?? new Map<number, Window>()
      windows.set(key, byStart)
      const current = byStart.get(window) ?? { until, used: 0 }
      byStart.set(window, current)
      const granted = Math.max(0, Math.min(requested, limit - current.used))
      current.used += granted
      return { granted, remaining: Math.max(0, limit - current.used) }
    },
  }
}
