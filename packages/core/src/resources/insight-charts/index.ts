import { getDeploymentFrequencyChart } from './get-deployment-frequency-chart.ts'
import { getFlagStatusChart } from './get-flag-status-chart.ts'
import { getReleaseFrequencyChart } from './get-release-frequency-chart.ts'
import { getStaleFlagsChart } from './get-stale-flags-chart.ts'

export const insightChartOperations = [
  getDeploymentFrequencyChart,
  getStaleFlagsChart,
  getFlagStatusChart,
  getReleaseFrequencyChart,
] as const
