import { operation } from '../../operation/operation.ts'
import { flagDefaultsResponse, serializeFlagDefaults } from './flag-defaults-schema.ts'
import { loadFlagDefaults, revisionOf } from './stored-flag-defaults.ts'

export const getFlagDefaults = operation({
  id: 'getFlagDefaults',
  summary: 'Get the defaults of new flags of a project',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flag-defaults',
  success: { status: 200, body: flagDefaultsResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const stored = (await loadFlagDefaults(context.tx, params)) ?? context.fail('not_found')
    context.setRevision(revisionOf(stored))
    return serializeFlagDefaults(stored.project, stored.defaults)
  },
})
