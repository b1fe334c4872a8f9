export { getDeploymentFrequencyChart } from './get-deployment-frequency-chart.ts'
export { getFlagStatusChart } from './get-flag-status-chart.ts'
export { getReleaseFrequencyChart } from './get-release-frequency-chart.ts'
export { getStaleFlagsChart } from './get-stale-flags-chart.ts'
