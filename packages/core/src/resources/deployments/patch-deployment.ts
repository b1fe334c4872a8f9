import { deployments } from '../../models/deployments/deployment.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
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
  body: patchBody(['/archived', '/metadata/**']),
  success: { status: 200, body: deploymentResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only after the deployment was read; the right to update is checked then',
  },
  async handle(context, { params, body }) {
    const { keys, document: deployment } = (await findDeployment(context, params)) ?? context.fail('not_found')
    context.requireRevision(deployment.version)
    const patched = patchDocument(deployment, body, deploymentSettings)
    const after = context.tx.replace(deployments, keys, deployment, patched)
    const active = await activeDeployments(context.tx, keys, [after.applicationKey])
    context.setRevision(after.version)
    return serializeDeployment(context, after, { ...keys, expand: [], active: active.has(after.id) })
  },
})
