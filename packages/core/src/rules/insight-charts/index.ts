export { chartTier, chartTiers } from './chart-tiers.ts'
export type { CountChart, CountPoint, CountSeries, EventColumns } from './count-series.ts'
export {
  type DeploymentQuestion,
  deploymentColumns,
  deploymentFrequencyChart,
  deploymentGroups,
} from './deployment-frequency.ts'
export type { ConfigState, FlagHistory } from './flag-history.ts'
export { flagStatusChart } from './flag-status-chart.ts'
export { type ReleaseKind, type ReleaseQuestion, releaseFrequencyChart, releaseKinds } from './release-frequency.ts'
export { type StaleFlagsQuestion, staleFlagsChart, staleGroups } from './stale-flags-chart.ts'
