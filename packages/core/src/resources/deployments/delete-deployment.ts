import { deployments } from '../../models/deployments/deployment.ts'
import { operation } from '../../operation/operation.ts'
import { findDeployment } from './find-deployment.ts'

export const deleteDeployment = operation({
  id: 'deleteDeployment',
  summary: 'Delete a deployment; its events and lead times stay',
  method: 'DELETE',
  path: '/api/v2/engineering-insights/deployments/{deploymentID}',
  beta: 'tagged',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: { open: true, why: 'its project is known only once it is found; the right to delete it is asked then' },
  async handle(context, { params }) {
    const { tx, fail } = context
    const { keys, document: deployment } = (await findDeployment(context, params)) ?? fail('not_found')
    await context.demand('deleteDeployment', deployments, keys, deployment)
    context.requireRevision(deployment.version)
    tx.remove(deployments, keys, deployment)
  },
})
