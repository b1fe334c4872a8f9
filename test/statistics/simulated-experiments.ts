import {
  addSums,
  checkGuardrails,
  compareMeans,
  type EstimatePair,
  type GuardrailReport,
  meanOf,
  noSums,
  stratifiedEstimates,
  type UnitSums,
} from '@halyard/core/insights'

/** Returns a number from 0 to 1, 1 excluded. */
type Random = () => number

/** Draws the value of one unit. */
type Draw = (random: Random) => number

/** Creates the generator mulberry32: fast enough for 100 million units, and the same everywhere. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

const normalOf = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Kinds of metrics: the value of one unit. */
export const draws = {
  /** Returns the value of a unit: 1 with a probability of 5 percent, otherwise 0. */
  conversion: (random) => Number(random() < 0.05),
  /** 3 events on average, geometrically distributed. */
  events: (random) => Math.floor(Math.log(1 - random()) / Math.log(0.75)),
  /** 10 percent of the units pay, with a lognormal amount: a skewness of about 8. */
  revenue: (random) => (random() < 0.1 ? Math.exp(3 + 0.8 * normalOf(random)) : 0),
} satisfies Readonly<Record<string, Draw>>

function drawSums(random: Random, units: number, draw: Draw): UnitSums {
  let sum = 0
  let sumOfSquares = 0
  for (let i = 0; i < units; i++) {
    const value = draw(random)
    sum += value
    sumOfSquares += value * value
  }
  return { units, sum, sumOfSquares }
}

/** The shape of an experiment. */
export interface ExperimentPlan {
  readonly days: number
  /** Units of each variation on each day. */
  readonly unitsPerDay: number
  readonly draw: Draw
  readonly method: 'sequential' | 'frequentist'
  readonly level: number
}

/** Simulates an experiment whose variations are equal; returns true if it is called significant on any day. */
export function isFalsePositive(random: Random, { days, unitsPerDay, draw, method, level }: ExperimentPlan): boolean {
  let control = noSums
  let treatment = noSums
  for (let day = 0; day < days; day++) {
    control = addSums(control, drawSums(random, unitsPerDay, draw))
    treatment = addSums(treatment, drawSums(random, unitsPerDay, draw))
    const [first, second] = [meanOf(control), meanOf(treatment)]
    const comparison = first && second && compareMeans(first, second, { method, level })
    if (comparison && comparison.verdict !== 'inconclusive') return true
  }
  return false
}

/** Days and share of the new variation in each stage of a release. */
export const stages = [
  { days: 2, share: 0.05 },
  { days: 3, share: 0.2 },
  { days: 9, share: 0.5 },
] as const

/** Units that evaluate the flag for the first time on each day. */
const unitsPerDay = 2_000

/** Rates of the guarded metrics with the old variation, and the desired direction. */
const guarded = [
  { key: 'errors', direction: 'decrease', rate: 0.02 },
  { key: 'checkouts', direction: 'increase', rate: 0.1 },
  { key: 'searches', direction: 'increase', rate: 0.4 },
] as const

/** A factor on all rates that changes from day to day, as between weekdays and weekends. */
const dayFactors = [1, 1.1, 0.9, 1.3, 1.4, 0.8, 1] as const

/**
 * Simulates a guarded release that is judged every day.
 *
 * @param random source of randomness.
 * @param errorRate rate of errors with the new variation; 0.02 is not a regression.
 * @returns the verdict that stopped the release, or that of the last day.
 */
export function releaseVerdict(random: Random, errorRate: number): GuardrailReport['verdict'] {
  const periods: { counts: [number, number]; weights: [number, number] }[] = []
  const sums: { control: UnitSums[]; treatment: UnitSums[] }[] = []
  let verdict: GuardrailReport['verdict'] = 'collecting'
  let day = 0
  for (const [stage, { days, share }] of stages.entries()) {
    periods[stage] = { counts: [0, 0], weights: [1 - share, share] }
    sums[stage] = { control: guarded.map(() => noSums), treatment: guarded.map(() => noSums) }
    for (const end = day + days; day < end; day++) {
      addDay(random, periods[stage], sums[stage], errorRate, dayFactors[day % 7] as number)
      verdict = judge(sums, periods)
      if (verdict === 'regression' || verdict === 'sample-ratio-mismatch') return verdict
    }
  }
  return verdict
}

function addDay(
  random: Random,
  { counts, weights }: { counts: [number, number]; weights: [number, number] },
  sums: { control: UnitSums[]; treatment: UnitSums[] },
  errorRate: number,
  factor: number,
): void {
  let treated = 0
  for (let i = 0; i < unitsPerDay; i++) treated += Number(random() < weights[1])
  counts[0] += unitsPerDay - treated
  counts[1] += treated
  for (const [i, { key, rate }] of guarded.entries()) {
    const newRate = key === 'errors' ? errorRate : rate
    const draw = (probability: number) => (random: Random) => Number(random() < probability * factor)
    sums.control[i] = addSums(sums.control[i] as UnitSums, drawSums(random, unitsPerDay - treated, draw(rate)))
    sums.treatment[i] = addSums(sums.treatment[i] as UnitSums, drawSums(random, treated, draw(newRate)))
  }
}

function judge(
  sums: readonly { control: readonly UnitSums[]; treatment: readonly UnitSums[] }[],
  periods: readonly { counts: [number, number]; weights: [number, number] }[],
): GuardrailReport['verdict'] {
  const metrics = guarded.map(({ key, direction }, i) => {
    const strata = sums.flatMap(({ control, treatment }): EstimatePair[] => {
      const pair = { control: meanOf(control[i] as UnitSums), treatment: meanOf(treatment[i] as UnitSums) }
      return pair.control && pair.treatment ? [{ control: pair.control, treatment: pair.treatment }] : []
    })
    const pair = stratifiedEstimates(strata)
    return { key, direction, control: pair?.control, treatment: pair?.treatment }
  })
  return checkGuardrails(metrics, periods).verdict
}
