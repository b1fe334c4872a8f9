import { resource } from '../../operation/resource.ts'
import { getDeploymentFrequencyChart } from './get-deployment-frequency-chart.ts'
import { getFlagStatusChart } from './get-flag-status-chart.ts'
import { getReleaseFrequencyChart } from './get-release-frequency-chart.ts'
import { getStaleFlagsChart } from './get-stale-flags-chart.ts'

export const insightCharts = resource({
  title: 'Insight charts',
  description: 'Charts of the releases, deployments and flags of an environment.',
  operations: [getDeploymentFrequencyChart, getStaleFlagsChart, getFlagStatusChart, getReleaseFrequencyChart],
  parameters: {
    maintainerId: 'Ids of members who maintain the flags, separated by commas.',
    maintainerTeamKey: 'Keys of teams that maintain the flags, separated by commas.',
  },
})
