import { flagDefaults } from '../../models/projects/flag-defaults.ts'
import { projects } from '../../models/projects/project.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { flagDefaultSettings, flagDefaultsResponse, serializeFlagDefaults, settingsOf } from './flag-defaults-schema.ts'
import { loadFlagDefaults, revisionOf, saveFlagDefaults } from './stored-flag-defaults.ts'
import { undoFlagDefaults } from './undo-flag-defaults.ts'

export const patchFlagDefaults = operation({
  id: 'patchFlagDefaults',
  undo: undoFlagDefaults,
  summary: 'Update the defaults of new flags of a project',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/flag-defaults',
  body: patchBody({
    ...actionsByPath(['/tags/**', '/temporary', '/booleanDefaults/**'], flagDefaults),
    ...actionsByPath(['/defaultClientSideAvailability/**'], projects),
  }),
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
    const current = settingsOf(before.project, before.defaults)
    const { version: _, ...settings } = await patchDocument({ ...current, version: 0 }, body, flagDefaultSettings, {
      shown: () => serializeFlagDefaults(before.project, before.defaults),
    })
    const after = saveFlagDefaults(context.tx, params, before, settings)
    context.setRevision(revisionOf(after))
    return serializeFlagDefaults(after.project, after.defaults)
  },
})
