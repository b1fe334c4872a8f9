export { bucketCount, type BucketQuestion } from './buckets.ts'
export type { Figures, Percentiles } from './figures.ts'
export {
  type LeadTimeChart,
  leadTimeChart,
  type LeadTimePoint,
  type LeadTimeQuestion,
  type LeadTimeSeries,
} from './lead-time-chart.ts'
export { leadTimeColumns, type LeadTimeSamples } from './samples.ts'
export { type Stage, stages } from './stages.ts'
export { type LeadTimeTier, leadTimeTier, leadTimeTiers } from './tier.ts'
export { binError, exactCount } from './duration-summary.ts'
export {
  dayMs,
  hourMs,
  type LeadTimePart,
  type LeadTimeSummary,
  type SummarisedDay,
  summariseDay,
} from './lead-time-summary.ts'
