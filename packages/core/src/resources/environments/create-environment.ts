import { environments, newEnvironment, placeEnvironment } from '../../models/environments/environment.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { environmentRequest, environmentWire, presentEnvironment } from './environment-wire.ts'
import { mostEnvironments } from './present-environments.ts'

export const createEnvironment = createOperation(environments, {
  id: 'createEnvironment',
  summary: 'Create an environment',
  path: '/api/v2/projects/{projectKey}/environments',
  access: { action: 'createEnvironment', resource: 'proj/{projectKey}:env/{body.key}' },
  within: projects,
  body: environmentRequest,
  async make(context, body, params) {
    const { tx, fail } = context
    const host = context.useHost()
    const now = context.readClock()
    const { total } = await tx.listRows(environments, params, { limit: 0 })
    if (total >= mostEnvironments) {
      fail('invalid_request', { message: `A project has at most ${mostEnvironments} environments` })
    }
    return newEnvironment(host, now, body)
  },
  async after({ tx }, environment, _, { projectKey }) {
    placeEnvironment(tx, projectKey, environment)
  },
  response: environmentWire,
  serialize: (context, environment, { projectKey }) => presentEnvironment(context, projectKey, environment),
})
