import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { environments } from './environment.ts'
import { environmentSettings, environmentWire, presentEnvironment } from './environment-wire.ts'

const patchable = Object.keys(environmentSettings.entries).map((member) => `/${member}/**`)

export const patchEnvironment = operation({
  id: 'patchEnvironment',
  summary: 'Change an environment',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  body: patchBody(patchable),
  success: { status: 200, body: environmentWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: environments.changeActions,
    resource: 'proj/{projectKey}:env/{environmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const before = (await context.tx.get(environments, params)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    const after = context.tx.replace(environments, params, before, patchDocument(before, body, environmentSettings))
    context.revision(after.version)
    return presentEnvironment(context, params.projectKey, after)
  },
})
