import { resource } from '../../operation/resource.ts'
import { accounts } from './account.ts'

export const account = resource({
  title: 'Account',
  description: 'The account that an engine serves.',
  kinds: [{ shape: 'acct', accountLevel: true, actions: ['viewAuditLog'] }],
  collections: [accounts],
  operations: [],
})
