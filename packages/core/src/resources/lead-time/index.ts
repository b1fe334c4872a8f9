import { createLeadTimeSamples } from './create-lead-time-samples.ts'
import { getLeadTimeChart } from './get-lead-time-chart.ts'

export const leadTimeOperations = [createLeadTimeSamples, getLeadTimeChart] as const
