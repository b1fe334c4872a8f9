import { environments, indexEnvironment, newEnvironment } from '../../models/environments/environment.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { environmentRequest, environmentResponse, serializeEnvironment } from './environment-schema.ts'
import { maxEnvironments } from './environments-response.ts'

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
    if (total >= maxEnvironments) {
      fail('invalid_request', { message: `A project has at most ${maxEnvironments} environments` })
    }
    return newEnvironment(host, now, body)
  },
  async after({ tx }, environment, _, { projectKey }) {
    indexEnvironment(tx, projectKey, environment)
  },
  response: environmentResponse,
  serialize: (context, environment, { projectKey }) => serializeEnvironment(context, projectKey, environment),
})
