/**
 * Returns the integer that divides times in the same way as a bound. Times are integers, so every bound has such an
 * integer, even an infinite or fractional bound.
 */
export function boundary(time: number): number {
  return Math.ceil(Math.min(Math.max(time, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER + 1))
}
