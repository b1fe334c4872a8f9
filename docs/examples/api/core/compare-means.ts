import { compareMeans, proportionOf } from '@halyard/core/insights'

const control = proportionOf({ units: 1_000, sum: 100, sumOfSquares: 100 })
const treatment = proportionOf({ units: 1_000, sum: 150, sumOfSquares: 150 })
const comparison = control && treatment && compareMeans(control, treatment, { method: 'frequentist' })
console.log(comparison?.verdict) // better
