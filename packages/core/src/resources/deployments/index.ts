import { deployments as deploymentDocuments, deploymentIndex } from '../../models/deployments/deployment.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const deployments = resource({
  title: 'Deployments',
  description: 'Deployments of applications, with their events and durations.',
  kinds: [{ shape: 'proj:env:deployment', actions: ['createDeployment', 'updateDeployment', 'deleteDeployment'] }],
  collections: [deploymentIndex, deploymentDocuments],
  operations: Object.values(operations),
  parameters: {
    deploymentID: 'Id of the deployment.',
  },
})
