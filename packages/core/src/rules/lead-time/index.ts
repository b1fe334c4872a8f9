export { type BucketQuestion, bucketCount } from './buckets.ts'
export { binError, exactCount } from './duration-summary.ts'
export type { Figures, Percentiles } from './figures.ts'
export {
  type LeadTimeChart,
  type LeadTimePoint,
  type LeadTimeQuestion,
  type LeadTimeSeries,
  leadTimeChart,
} from './lead-time-chart.ts'
export {
  dayMs,
  hourMs,
  type LeadTimePart,
  type LeadTimeSummary,
  type SummarisedDay,
  summariseDay,
} from './lead-time-summary.ts'
export { type LeadTimeSamples, leadTimeColumns } from './samples.ts'
export { type Stage, stages } from './stages.ts'
export { type LeadTimeTier, leadTimeTier, leadTimeTiers } from './tier.ts'
