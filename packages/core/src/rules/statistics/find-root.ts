/** An increasing function, its derivative, and a range in which it is zero once. */
export interface RootSearch {
  readonly value: (x: number) => number
  readonly slope: (x: number) => number
  readonly lower: number
  readonly upper: number
  readonly start: number
  /** Largest accepted distance from the zero, apart from rounding. */
  readonly precision: number
}

/** Finds the zero of an increasing function by Newton's method, and by bisection where a step leaves the range. */
export function findRoot({ value, slope, lower, upper, start, precision }: RootSearch): number {
  let low = lower
  let high = upper
  let x = start
  // Bisection alone ends after about 1,100 halvings, the number of exponents of a double.
  for (let i = 0; i < 1_200; i++) {
    const error = value(x)
    if (error === 0) return x
    if (error > 0) high = x
    else low = x
    const step = error / slope(x)
    const newton = x - step
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - x) <= precision + Math.abs(next) * 1e-15) return next
    x = next
  }
  return x
}
