import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { forgetSegmentsOf } from '../views/view-link.ts'
import { environmentIds, environments } from './environment.ts'

export const deleteEnvironment = deleteOperation(environments, {
  id: 'deleteEnvironment',
  summary: 'Delete an environment with everything in it',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  access: { action: 'deleteEnvironment', resource: 'proj/{projectKey}:env/{environmentKey}' },
  contents: true,
  also({ tx }, environment, keys) {
    tx.discard(environmentIds, { ...keys, environmentId: environment.id })
    forgetSegmentsOf(tx, keys)
  },
})
