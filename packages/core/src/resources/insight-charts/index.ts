import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const insightCharts = resource({
  title: 'Insight charts',
  description: 'Charts of the releases, deployments and flags of an environment.',
  operations: Object.values(operations),
  parameters: {
    maintainerId: 'Ids of members who maintain the flags, separated by commas.',
    maintainerTeamKey: 'Keys of teams that maintain the flags, separated by commas.',
  },
})
