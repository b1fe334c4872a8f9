/**
 * Sums over the units of one variation. Results are computed from these sums, so no one has to keep the values of units.
 * The sums of parts add up to the sums of the whole, see {@link addSums}.
 *
 * A variance that is computed from sums loses digits where the mean is much larger than the standard deviation: about
 * twice as many as the ratio of the two has.
 */
export interface UnitSums {
  /** Number of units, for example of users. */
  readonly units: number
  /** Sum of the values of the units. A unit without any event has the value 0. */
  readonly sum: number
  /** Sum of the squares of the values. */
  readonly sumOfSquares: number
  /** Sum of the values that the units had before the experiment, for {@link cupedMeans}. */
  readonly preSum?: number
  /** Sum of the squares of the values before the experiment. */
  readonly preSumOfSquares?: number
  /** Sum of the products of the value and the value before the experiment. */
  readonly crossSum?: number
  /** Sum of the denominators of the units, for {@link ratioOf}. */
  readonly denominatorSum?: number
  /** Sum of the squares of the denominators. */
  readonly denominatorSumOfSquares?: number
  /** Sum of the products of the value and the denominator. */
  readonly ratioCrossSum?: number
}

/** Contribution of one unit to {@link UnitSums}. */
export interface UnitValue {
  /** Value during the experiment; 1 or 0 for a metric that counts the units that did something. */
  readonly value: number
  /** Value before the experiment; absent if the metric has none. */
  readonly pre?: number
  /** Denominator of a ratio metric, for example the number of sessions; absent for other metrics. */
  readonly denominator?: number
}

/** The sums of no unit. */
export const noSums: UnitSums = { units: 0, sum: 0, sumOfSquares: 0 }

const optionalSums = [
  'preSum',
  'preSumOfSquares',
  'crossSum',
  'denominatorSum',
  'denominatorSumOfSquares',
  'ratioCrossSum',
] as const satisfies readonly (keyof UnitSums)[]

/**
 * Adds the sums of two disjoint sets of units, for example of two days or two processes. A sum that only one of them has
 * is 0 in the other.
 */
export function addSums(first: UnitSums, second: UnitSums): UnitSums {
  return combine(first, second, 1)
}

/** Returns the sums of units. */
export function sumsOf(units: Iterable<UnitValue>): UnitSums {
  let sums = noSums
  for (const unit of units) sums = addSums(sums, contributionOf(unit))
  return sums
}

/**
 * Returns the sums after the value of one unit changed.
 *
 * @param sums sums that include `before`.
 * @param before the unit so far; undefined for a new unit.
 * @param after the unit from now on; undefined for a unit that is left out.
 */
export function replaceUnit(sums: UnitSums, before: UnitValue | undefined, after: UnitValue | undefined): UnitSums {
  const rest = before ? combine(sums, contributionOf(before), -1) : sums
  return after ? addSums(rest, contributionOf(after)) : rest
}

/**
 * Limits the value of a unit, so that few extreme units do not decide the result (winsorization). Apply it to the value
 * of a unit, not of an event, before it is added.
 *
 * @param value value of a unit.
 * @param limits smallest and largest value; an absent limit does not limit.
 * @throws RangeError for a lower limit above the upper one.
 */
export function winsorize(
  value: number,
  { lower = Number.NEGATIVE_INFINITY, upper = Number.POSITIVE_INFINITY }: { lower?: number; upper?: number },
): number {
  if (!(lower <= upper)) throw new RangeError(`\`lower\` must be at most \`upper\`, which is ${upper}: ${lower}`)
  return Math.min(Math.max(value, lower), upper)
}

function contributionOf({ value, pre, denominator }: UnitValue): UnitSums {
  return {
    units: 1,
    sum: value,
    sumOfSquares: value * value,
    ...(pre === undefined ? {} : { preSum: pre, preSumOfSquares: pre * pre, crossSum: value * pre }),
    ...(denominator === undefined
      ? {}
      : {
          denominatorSum: denominator,
          denominatorSumOfSquares: denominator * denominator,
          ratioCrossSum: value * denominator,
        }),
  }
}

function combine(first: UnitSums, second: UnitSums, sign: 1 | -1): UnitSums {
  const result = {
    units: first.units + sign * second.units,
    sum: first.sum + sign * second.sum,
    sumOfSquares: first.sumOfSquares + sign * second.sumOfSquares,
  }
  const optional: Partial<Record<(typeof optionalSums)[number], number>> = {}
  for (const name of optionalSums)
    if (first[name] !== undefined || second[name] !== undefined)
      optional[name] = (first[name] ?? 0) + sign * (second[name] ?? 0)
  return { ...result, ...optional }
}
