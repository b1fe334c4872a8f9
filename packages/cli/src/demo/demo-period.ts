/** A day, ms. */
export const day = 86_400_000

/**
 * Returns the thirty days up to now, ms: a range with enough data for a chart.
 *
 * @param now ms, UTC.
 */
export function demoPeriod(now: number): { readonly from: number; readonly to: number } {
  const today = Math.floor(now / day) * day
  return { from: today - 29 * day, to: today + day }
}
