import { deployments } from '../../../models/deployments/deployment.ts'
import { operation } from '../../../operation/operation.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import { revisionOf } from './account-application.ts'
import { findVersions } from './application-version.ts'

export const deleteApplicationVersion = operation({
  id: 'deleteApplicationVersion',
  undo: [undoOf(deployments, {})],
  summary:
    'Delete the deployments of a version of an application in all environments, but not their events and lead times',
  method: 'DELETE',
  path: '/api/v2/applications/{applicationKey}/versions/{versionKey}',
  freeParams: ['versionKey'],
  beta: 'tagged',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the environments are known only after the deployments were read; the rights to delete are checked then',
    demands: ['deleteDeployment'],
  },
  async handle(context, { params: { applicationKey, versionKey } }) {
    const versions = await findVersions(context, applicationKey, versionKey)
    const { parts } = versions?.get(versionKey) ?? context.fail('not_found')
    for (const { keys, document } of parts) await context.demand('deleteDeployment', deployments, keys, document)
    context.requireRevision(await revisionOf(parts))
    for (const { keys, document } of parts) context.tx.remove(deployments, keys, document)
  },
})
