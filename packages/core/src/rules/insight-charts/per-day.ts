import { dayMs } from '../lead-time/lead-time-summary.ts'

/** Returns a count per day of a range, ms. */
export function perDay(count: number, { from, to }: { readonly from: number; readonly to: number }): number {
  return (count * dayMs) / (to - from)
}
