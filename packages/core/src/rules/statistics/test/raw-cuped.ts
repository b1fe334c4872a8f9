/** A unit with its values during and before an experiment. */
export interface RawUnit {
  readonly value: number
  readonly pre: number
  readonly denominator?: number
  readonly preDenominator?: number
}

/** An estimate and its standard error. */
export interface RawEstimate {
  readonly value: number
  readonly standardError: number
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => sum(values) / values.length

/**
 * Returns the estimates of CUPED from the values of all units, in two passes: no sums of squares or products are kept.
 */
export function rawCuped(variations: readonly (readonly RawUnit[])[]): RawEstimate[] {
  const all = variations.flat()
  const preRatio = sum(all.map(({ pre }) => pre)) / sum(all.map(({ preDenominator = 1 }) => preDenominator))
  const preSize = mean(all.map(({ preDenominator = 1 }) => preDenominator))
  const groups = variations.map((units) => {
    const ratio = sum(units.map(({ value }) => value)) / sum(units.map(({ denominator = 1 }) => denominator))
    const size = mean(units.map(({ denominator = 1 }) => denominator))
    const y = units.map(({ value, denominator = 1 }) => ratio + (value - ratio * denominator) / size)
    const x = units.map(({ pre, preDenominator = 1 }) => (pre - preRatio * preDenominator) / preSize)
    return { y, x, meanX: mean(x), meanY: mean(y) }
  })
  const within = (of: (dx: number, dy: number) => number) =>
    sum(groups.map(({ y, x, meanX, meanY }) => sum(x.map((value, i) => of(value - meanX, y[i]! - meanY)))))
  const spread = within((dx) => dx * dx)
  const slope = spread > 1e-12 ? within((dx, dy) => dx * dy) / spread : 0
  return groups.map(({ y, x }) => {
    const adjusted = y.map((value, i) => value - slope * x[i]!)
    const value = mean(adjusted)
    const variance = sum(adjusted.map((one) => (one - value) ** 2)) / (adjusted.length - 1)
    return { value, standardError: Math.sqrt(variance / adjusted.length) }
  })
}
