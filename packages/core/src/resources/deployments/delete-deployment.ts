import { deployments } from '../../models/deployments/deployment.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { findDeployment } from './find-deployment.ts'

export const deleteDeployment = operation({
  id: 'deleteDeployment',
  undo: [
    undoOf(deployments, {
      create: 'createDeployment',
      async remove(context, keys, deployment) {
        await context.demand('deleteDeployment', deployments, keys, deployment)
        context.tx.remove(deployments, keys, deployment)
      },
    }),
  ],
  summary: 'Delete a deployment, but not its events and lead times',
  method: 'DELETE',
  path: '/api/v2/engineering-insights/deployments/{deploymentID}',
  beta: 'tagged',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only after the deployment was read; the right to delete is checked then',
    demands: ['deleteDeployment'],
  },
  async handle(context, { params }) {
    const { tx, fail } = context
    const { keys, document: deployment } = (await findDeployment(context, params)) ?? fail('not_found')
    await context.demand('deleteDeployment', deployments, keys, deployment)
    context.requireRevision(deployment.version)
    tx.remove(deployments, keys, deployment)
  },
})
