import {
  addSums,
  adjustedPValues,
  checkGuardrails,
  compareMeans,
  cupedMeans,
  meanOf,
  probabilityToBeBest,
  proportionOf,
  ratioOf,
  sampleRatioTest,
  sumsOf,
} from '@halyard/core/insights'

// #region sums
const monday = sumsOf([{ value: 0 }, { value: 12.5 }, { value: 30 }])
const tuesday = sumsOf([{ value: 4 }, { value: 0 }])
console.log(addSums(monday, tuesday))
// #endregion

const counted = (units: number, successes: number) => ({ units, sum: successes, sumOfSquares: successes })

// #region estimates
const checkout = { control: counted(5_000, 500), treatment: counted(5_000, 575) }
const control = proportionOf(checkout.control)
const treatment = proportionOf(checkout.treatment)
if (!control || !treatment) throw new Error('a variation has fewer than 2 units')
// #endregion

// #region kinds
const users = [
  { value: 3, pre: 2, denominator: 4 },
  { value: 0, pre: 1, denominator: 2 },
  { value: 5, pre: 4, denominator: 9 },
]
console.log(meanOf(sumsOf(users))?.value.toFixed(3), ratioOf(sumsOf(users))?.value.toFixed(3))
const [adjusted] = cupedMeans([sumsOf(users), sumsOf(users.map((user) => ({ ...user, value: user.value + 1 })))])
console.log(adjusted?.standardError.toFixed(3), 'instead of', meanOf(sumsOf(users))?.standardError.toFixed(3))
// #endregion

// #region compare
for (const method of ['frequentist', 'sequential', 'bayesian'] as const) {
  const comparison = compareMeans(control, treatment, { method, level: 0.05, direction: 'increase' })
  if (!comparison) continue
  const { lower, upper } = comparison.difference
  const evidence = 'pValue' in comparison ? comparison.pValue : comparison.probabilityToBeatControl
  console.log(method, lower.toFixed(4), upper.toFixed(4), evidence.toFixed(4), comparison.verdict)
}
// #endregion

// #region best
const third = proportionOf(counted(5_000, 560))
if (third) console.log(probabilityToBeBest([control, treatment, third]).map((share) => share.toFixed(3)))
// #endregion

// #region corrections
console.log(adjustedPValues([0.004, 0.03, 0.04], 'holm'))
console.log(sampleRatioTest({ counts: [5_000, 4_500], weights: [1, 1] }).mismatch)
// #endregion

// #region guardrails
const errors = { key: 'errors', direction: 'decrease' } as const
const report = checkGuardrails(
  [{ ...errors, control: proportionOf(counted(5_000, 50)), treatment: proportionOf(counted(5_000, 110)) }],
  { counts: [5_000, 5_000], weights: [1, 1] },
  { level: 0.05, minimumUnits: 100 },
)
console.log(report.verdict)
// #endregion
