/**
 * Returns the integer that divides times in the same way as a bound. Times are integers, so there is one for every
 * bound, infinite or fractional.
 */
export function boundary(time: number): number {
  return Math.ceil(Math.min(Math.max(time, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER + 1))
}
