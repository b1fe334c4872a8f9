import { operation } from '../../operation/operation.ts'
import { forgetSegmentsOf } from '../views/view-link.ts'
import { environmentIds, environments } from './environment.ts'

export const deleteEnvironment = operation({
  id: 'deleteEnvironment',
  summary: 'Delete an environment with everything in it',
  method: 'DELETE',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteEnvironment', resource: 'proj/{projectKey}:env/{environmentKey}' },
  async handle(context, { params }) {
    const environment = (await context.tx.get(environments, params)) ?? context.fail('not_found')
    context.requireRevision(environment.version)
    context.tx.remove(environments, params, environment)
    context.tx.clear(environments.address.address(params))
    context.tx.discard(environmentIds, { ...params, environmentId: environment.id })
    forgetSegmentsOf(context.tx, params)
  },
})
