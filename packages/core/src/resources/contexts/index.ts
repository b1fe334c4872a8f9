import { contextInstances, seenContexts } from '../../models/contexts/seen-context.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const contexts = resource({
  title: 'Contexts',
  description: 'Contexts that SDKs reported in the last 30 days, and evaluations for a context.',
  kinds: [
    { shape: 'proj:env:context-instance', actions: ['createContextInstance', 'deleteContextInstance'] },
    { shape: 'proj:env:user', actions: ['deleteUser'] },
  ],
  collections: [seenContexts, contextInstances],
  operations: Object.values(operations),
  parameters: {
    'getContexts.kind': 'Kind of the context.',
    'getContexts.key': 'Key of the context.',
    'getContextInstances.id': 'Id of the combination of contexts.',
    'deleteContextInstances.id': 'Id of the combination of contexts.',
    userKey: 'Key of the user.',
    q: 'Finds users whose key or name contains this text. Upper and lower case are the same.',
    after: 'Finds users that were seen after this time.',
    searchAfter: 'Number in the link `next` of the previous response, after which this one continues.',
    attributeName: 'Name of the attribute.',
    continuationToken: 'Token of the previous response, after which this one continues.',
    includeTotalCount: 'Adds the number of contexts that match. Default true.',
  },
})
