import { createDeploymentEvent } from './create-deployment-event.ts'
import { createDeploymentEvents } from './create-deployment-events.ts'
import { deleteDeployment } from './delete-deployment.ts'
import { getDeployment } from './get-deployment.ts'
import { listDeployments } from './list-deployments.ts'
import { patchDeployment } from './patch-deployment.ts'

export const deploymentOperations = [
  createDeploymentEvent,
  createDeploymentEvents,
  listDeployments,
  getDeployment,
  patchDeployment,
  deleteDeployment,
] as const
