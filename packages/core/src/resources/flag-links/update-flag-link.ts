import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { flagLinks } from './flag-link.ts'
import { flagLinkResponse, flagLinkSettings, serializeFlagLink } from './flag-link-schema.ts'
import { requireIntegrationMetadata } from './require-integration-metadata.ts'

export const updateFlagLink = patchOperation(flagLinks, {
  id: 'updateFlagLink',
  summary: 'Update a link of a flag',
  path: '/api/v2/flag-links/projects/{projectKey}/flags/{flagKey}/{id}',
  beta: 'tagged',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: flagLinkSettings,
  paths: ['/title', '/description', '/deepLink', '/timestamp', '/metadata/**'],
  change(_, patched) {
    requireIntegrationMetadata(patched)
    return patched
  },
  response: flagLinkResponse,
  serialize: serializeFlagLink,
})
