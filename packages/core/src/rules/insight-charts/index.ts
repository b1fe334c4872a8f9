export { chartTier, chartTiers } from './chart-tiers.ts'
export type { CountChart, CountPoint, CountSeries, EventColumns } from './count-series.ts'
export {
  deploymentColumns,
  deploymentFrequencyChart,
  deploymentGroups,
  type DeploymentQuestion,
} from './deployment-frequency.ts'
export type { ConfigState, FlagHistory } from './flag-history.ts'
export { flagStatusChart } from './flag-status-chart.ts'
export { releaseFrequencyChart, type ReleaseKind, releaseKinds, type ReleaseQuestion } from './release-frequency.ts'
export { staleFlagsChart, staleGroups, type StaleFlagsQuestion } from './stale-flags-chart.ts'
