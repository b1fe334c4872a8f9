import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { flagLinks } from './flag-link.ts'
import { flagLinkSettings, flagLinkWire, presentFlagLink } from './flag-link-wire.ts'
import { requireTogether } from './require-together.ts'

export const updateFlagLink = patchOperation(flagLinks, {
  id: 'updateFlagLink',
  summary: 'Update a link of a flag',
  path: '/api/v2/flag-links/projects/{projectKey}/flags/{featureFlagKey}/{id}',
  beta: 'tagged',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: flagLinkSettings,
  paths: ['/title', '/description', '/deepLink', '/timestamp', '/metadata/**'],
  change(_, patched) {
    requireTogether(patched)
    return patched
  },
  response: flagLinkWire,
  serialize: presentFlagLink,
})
