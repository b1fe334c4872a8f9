import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { flagLinkKeys, flagLinks } from './flag-link.ts'

export const deleteFlagLink = deleteOperation(flagLinks, {
  id: 'deleteFlagLink',
  summary: 'Delete a link of a flag',
  path: '/api/v2/flag-links/projects/{projectKey}/flags/{flagKey}/{id}',
  beta: 'tagged',
  access: { action: 'deleteFlagLink', resource: flagLinks.policyTemplate },
  also({ tx }, { key }, keys) {
    tx.discard(flagLinkKeys, { ...keys, key })
  },
})
