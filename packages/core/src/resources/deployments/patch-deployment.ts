import { type Deployment, deployments } from '../../models/deployments/deployment.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { deploymentResponse, deploymentSettings, serializeDeployment } from './deployment-schema.ts'
import { activeDeployments, findDeployment } from './find-deployment.ts'

export const patchDeployment = operation({
  id: 'patchDeployment',
  undo: [undoOf(deployments, {})],
  summary: 'Update a deployment',
  method: 'PATCH',
  path: '/api/v2/engineering-insights/deployments/{deploymentID}',
  beta: 'tagged',
  body: patchBody(actionsByPath(['/archived', '/metadata/**'], deployments)),
  success: { status: 200, body: deploymentResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only after the deployment was read; the right to update is checked then',
  },
  async handle(context, { params, body }) {
    const { keys, document: deployment } = (await findDeployment(context, params)) ?? context.fail('not_found')
    context.requireRevision(deployment.version)
    const response = async (shown: Deployment) => {
      const active = await activeDeployments(context.tx, keys, [shown.applicationKey])
      return serializeDeployment(context, shown, { ...keys, expand: [], active: active.has(shown.id) })
    }
    const patched = await patchDocument(deployment, body, deploymentSettings, { shown: () => response(deployment) })
    const after = context.tx.replace(deployments, keys, deployment, patched)
    context.setRevision(after.version)
    return response(after)
  },
})
