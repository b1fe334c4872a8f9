import { flagFollowers as flagFollowerDocuments } from '../../models/flag-followers/flag-followers.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const flagFollowers = resource({
  title: 'Followers of flags',
  description: 'Members who are named in messages about changes of a flag in an environment.',
  kinds: [{ shape: 'proj:env:flag', actions: ['manageFlagFollowers'] }],
  collections: [flagFollowerDocuments],
  operations: Object.values(operations),
  parameters: { memberId: 'Id of the member who follows.' },
})
