import { environmentIds, environments } from '../../models/environments/environment.ts'
import { environmentRemovalFollowUps } from '../../models/follow-ups.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteEnvironment = deleteOperation(environments, {
  id: 'deleteEnvironment',
  summary: 'Delete an environment and everything in it',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  access: { action: 'deleteEnvironment', resource: 'proj/{projectKey}:env/{environmentKey}' },
  contents: true,
  also({ tx }, environment, keys) {
    tx.discard(environmentIds, { ...keys, environmentId: environment.id })
    for (const followUp of environmentRemovalFollowUps) followUp(tx, keys)
  },
})
