import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { flagDefaultSettings, flagDefaultsResponse, serializeFlagDefaults } from './flag-defaults-schema.ts'
import { loadFlagDefaults, revisionOf, saveFlagDefaults } from './stored-flag-defaults.ts'
import { undoFlagDefaults } from './undo-flag-defaults.ts'

export const putFlagDefaults = operation({
  id: 'putFlagDefaults',
  undo: undoFlagDefaults,
  summary: 'Replace the defaults of new flags of a project',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/flag-defaults',
  body: jsonBody(v.strictObject(flagDefaultSettings.entries)),
  success: { status: 200, body: flagDefaultsResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: ['updateProjectFlagDefaults', 'updateDefaultClientSideAvailability'],
    resource: 'proj/{projectKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const before = (await loadFlagDefaults(context.tx, params)) ?? context.fail('not_found')
    context.requireRevision(revisionOf(before))
    const after = saveFlagDefaults(context.tx, params, before, body)
    context.setRevision(revisionOf(after))
    return serializeFlagDefaults(after.project, after.defaults)
  },
})
