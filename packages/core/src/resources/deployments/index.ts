import { deployments as deploymentDocuments, deploymentIndex } from '../../models/deployments/deployment.ts'
import { resource } from '../../operation/resource.ts'
import { createDeploymentEvent } from './create-deployment-event.ts'
import { createDeploymentEvents } from './create-deployment-events.ts'
import { deleteDeployment } from './delete-deployment.ts'
import { getDeployment } from './get-deployment.ts'
import { listDeployments } from './list-deployments.ts'
import { patchDeployment } from './patch-deployment.ts'

export const deployments = resource({
  title: 'Deployments',
  description: 'Deployments of applications, with their events and durations.',
  kinds: [{ shape: 'proj:env:deployment', actions: ['createDeployment', 'updateDeployment', 'deleteDeployment'] }],
  collections: [deploymentIndex, deploymentDocuments],
  operations: [
    createDeploymentEvent,
    createDeploymentEvents,
    listDeployments,
    getDeployment,
    patchDeployment,
    deleteDeployment,
  ],
  parameters: {
    deploymentID: 'Id of the deployment.',
  },
})
