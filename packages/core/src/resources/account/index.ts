import { accounts } from '../../models/account/account.ts'
import { resource } from '../../operation/resource.ts'

export const account = resource({
  title: 'Account',
  description: 'The account that an engine serves.',
  kinds: [{ shape: 'acct', accountLevel: true, actions: ['viewAuditLog'] }],
  collections: [accounts],
  operations: [],
})
