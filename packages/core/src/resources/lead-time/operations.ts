export { createLeadTimeSamples } from './create-lead-time-samples.ts'
export { getLeadTimeChart } from './get-lead-time-chart.ts'
