import * as v from 'valibot'
import { environmentIds, environments } from '../../models/environments/environment.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteEnvironment = deleteOperation(environments, {
  id: 'deleteEnvironment',
  summary: 'Delete an environment and everything in it',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  access: { action: 'deleteEnvironment', resource: 'proj/{projectKey}:env/{environmentKey}' },
  query: v.object(detachQuery),
  contents: true,
  also({ tx }, environment, keys) {
    tx.discard(environmentIds, { ...keys, environmentId: environment.id })
  },
})
