/**
 * Sums over the units of one variation. Results are computed from these sums, so the values of units need not be
 * stored. The sums of parts add up to the sums of the whole, see {@link addSums}.
 *
 * A variance that is computed from sums loses digits when the mean is much larger than the standard deviation: about
 * twice as many digits as the ratio of the two has.
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
  /**
   * Sum of the denominators that the units had before the experiment, for {@link cupedRatios}, and of their squares.
   */
  readonly preDenominatorSum?: number
  readonly preDenominatorSumOfSquares?: number
  /** Sum of the products of the value and the denominator, both before the experiment. */
  readonly preRatioCrossSum?: number
  /** Sum of the products of the value and the denominator before the experiment. */
  readonly valuePreDenominatorSum?: number
  /** Sum of the products of the denominator and the value before the experiment. */
  readonly denominatorPreSum?: number
  /** Sum of the products of the denominator and the denominator before the experiment. */
  readonly denominatorPreDenominatorSum?: number
}

/** Contribution of one unit to {@link UnitSums}. */
export interface UnitValue {
  /** Value during the experiment; 1 or 0 for a metric that counts the units that did something. */
  readonly value: number
  /** Value before the experiment; absent if the metric has no such value. */
  readonly pre?: number
  /** Denominator of a ratio metric, for example the number of sessions; absent for other metrics. */
  readonly denominator?: number
  /** Denominator before the experiment; absent if the metric has no such denominator. */
  readonly preDenominator?: number
}

/** The sums of no unit. */
export const noSums: UnitSums = { units: 0, sum: 0, sumOfSquares: 0 }

/** Sums that their owner changes in place. */
type SumsInPlace = { -readonly [Name in keyof UnitSums]: UnitSums[Name] }

/**
 * Adds the sums of two disjoint sets of units, for example of two days or two processes. A sum that only one set has
 * counts as 0 in the other set.
 */
export function addSums(first: UnitSums, second: UnitSums): UnitSums {
  const sums: SumsInPlace = { ...first }
  for (const name of Object.keys(second) as (keyof UnitSums)[]) add(sums, name, second[name] ?? 0)
  return sums
}

/** Returns the sums of units. */
export function sumsOf(units: Iterable<UnitValue>): UnitSums {
  const sums = { ...noSums }
  for (const unit of units) addUnit(sums, unit, 1)
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
  const replaced = { ...sums }
  if (before) addUnit(replaced, before, -1)
  if (after) addUnit(replaced, after, 1)
  return replaced
}

/** Adds a unit to sums, or removes it, in place: the aggregation of events changes millions of units. */
export function addUnit(sums: SumsInPlace, unit: UnitValue, sign: 1 | -1): void {
  const { value, pre, denominator, preDenominator } = unit
  sums.units += sign
  sums.sum += sign * value
  sums.sumOfSquares += sign * value * value
  if (pre !== undefined) {
    add(sums, 'preSum', sign * pre)
    add(sums, 'preSumOfSquares', sign * pre * pre)
    add(sums, 'crossSum', sign * value * pre)
  }
  if (denominator === undefined) return
  add(sums, 'denominatorSum', sign * denominator)
  add(sums, 'denominatorSumOfSquares', sign * denominator * denominator)
  add(sums, 'ratioCrossSum', sign * value * denominator)
  if (pre === undefined || preDenominator === undefined) return
  add(sums, 'preDenominatorSum', sign * preDenominator)
  add(sums, 'preDenominatorSumOfSquares', sign * preDenominator * preDenominator)
  add(sums, 'preRatioCrossSum', sign * pre * preDenominator)
  add(sums, 'valuePreDenominatorSum', sign * value * preDenominator)
  add(sums, 'denominatorPreSum', sign * denominator * pre)
  add(sums, 'denominatorPreDenominatorSum', sign * denominator * preDenominator)
}

function add(sums: SumsInPlace, name: keyof UnitSums, amount: number): void {
  sums[name] = (sums[name] ?? 0) + amount
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
  {
    lower = Number.NEGATIVE_INFINITY,
    upper = Number.POSITIVE_INFINITY,
  }: {
    lower?: number | undefined
    upper?: number | undefined
  },
): number {
  if (!(lower <= upper)) throw new RangeError(`\`lower\` must be at most \`upper\`, which is ${upper}: ${lower}`)
  return Math.min(Math.max(value, lower), upper)
}
