export { adjustedPValues, type PValueCorrection } from './adjusted-p-values.ts'
export { compareMeans } from './compare-means.ts'
export type {
  BayesianComparison,
  Comparison,
  ComparisonBase,
  ComparisonMethod,
  ComparisonOptions,
  Direction,
  FrequentistComparison,
  IntervalEstimate,
  SequentialComparison,
} from './comparison.ts'
export { cupedMeans, cupedRatios } from './cuped.ts'
export {
  checkGuardrails,
  type GuardedMetric,
  type GuardrailOptions,
  type GuardrailReport,
  type GuardrailResult,
} from './guardrails.ts'
export { type MetricEstimate, meanOf, proportionOf, ratioOf } from './metric-estimate.ts'
export { percentileOf, percentileRanks } from './percentile.ts'
export { expectedLosses, type PosteriorOptions, probabilityToBeBest } from './probability-to-be-best.ts'
export {
  type SampleRatio,
  type SampleRatioResult,
  sampleRatioTest,
  sequentialSampleRatioTest,
} from './sample-ratio.ts'
export { defaultMinimumUnits, defaultTuningUnits } from './sequential-test.ts'
export { type EstimatePair, stratifiedEstimates } from './stratified-estimates.ts'
export { addSums, addUnit, noSums, replaceUnit, sumsOf, type UnitSums, type UnitValue, winsorize } from './unit-sums.ts'
export { addSketches, countValue, emptySketch, replaceValue, sketchOf, type ValueSketch } from './value-sketch.ts'
