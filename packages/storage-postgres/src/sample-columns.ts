/** How many numbers a sample can have. */
export const widest = 8

/** The columns of its numbers. */
export const valueColumns = Array.from({ length: widest }, (_, column) => `v${column}`)

/** Times are integers: every bound, infinite or between two of them, has an integer that cuts them alike. */
export function boundary(time: number): number {
  return Math.ceil(Math.min(Math.max(time, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER + 1))
}
