import { flags } from '../../models/flags/flag.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { flagLinks } from './flag-link.ts'
import { flagLinkResponse, serializeFlagLink } from './flag-link-schema.ts'

export const listFlagLinks = listOperation(flagLinks, {
  id: 'listFlagLinks',
  summary: 'List the links of a flag, oldest first',
  path: '/api/v2/flag-links/projects/{projectKey}/flags/{flagKey}',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: flags,
  withinKeys: ({ projectKey, flagKey }) => ({ projectKey, flagKey }),
  select: () => ({ order: [{ field: 'createdAt', type: 'number' }] }),
  response: flagLinkResponse,
  serialize: serializeFlagLink,
})
