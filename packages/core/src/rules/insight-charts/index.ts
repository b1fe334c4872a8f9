export { chartTier, chartTiers } from './chart-tiers.ts'
export type { CountChart, CountPoint, CountSeries, EventColumns } from './count-series.ts'
export {
  type DeploymentQuery,
  deploymentColumns,
  deploymentFrequencyChart,
  deploymentGroups,
} from './deployment-frequency.ts'
export type { ConfigState, FlagHistory } from './flag-history.ts'
export { flagStatusChart } from './flag-status-chart.ts'
export { type ReleaseKind, type ReleaseQuery, releaseFrequencyChart, releaseKinds } from './release-frequency.ts'
export { type StaleFlagsQuery, staleFlagsChart, staleGroups } from './stale-flags-chart.ts'
