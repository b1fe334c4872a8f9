import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { projects } from '../projects/project.ts'
import { environments, insertEnvironment } from './environment.ts'
import { environmentRequest, environmentWire, presentEnvironment } from './environment-wire.ts'
import { mostEnvironments } from './present-environments.ts'

export const createEnvironment = operation({
  id: 'createEnvironment',
  summary: 'Create an environment',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments',
  body: jsonBody(environmentRequest),
  success: { status: 201, body: environmentWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createEnvironment', resource: 'proj/{projectKey}:env/{body.key}' },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const project = (await tx.get(projects, params)) ?? fail('not_found')
    tx.expect(projects, params, project)
    const { total } = await tx.listRows(environments, params, { limit: 0 })
    if (total >= mostEnvironments) {
      fail('invalid_request', { message: `A project has at most ${mostEnvironments} environments` })
    }
    const environment = insertEnvironment(context, params.projectKey, body, () =>
      fail('optimistic_locking_error', { message: `There is an environment ${body.key} already` }),
    )
    context.revision(environment.version)
    return presentEnvironment(context, params.projectKey, environment)
  },
})
