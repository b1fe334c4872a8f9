export { type BucketQuery, bucketCount } from './buckets.ts'
export type { DurationStats, Percentiles } from './duration-stats.ts'
export { binError, exactCount } from './duration-summary.ts'
export {
  type LeadTimeChart,
  type LeadTimePoint,
  type LeadTimeQuery,
  type LeadTimeSeries,
  leadTimeChart,
} from './lead-time-chart.ts'
export {
  type DaySummary,
  dayMs,
  hourMs,
  type LeadTimePart,
  type LeadTimeSummary,
  summarizeDay,
} from './lead-time-summary.ts'
export { type LeadTimeSamples, leadTimeColumns } from './samples.ts'
export { type Stage, stages } from './stages.ts'
export { type LeadTimeTier, leadTimeTier, leadTimeTiers } from './tier.ts'
