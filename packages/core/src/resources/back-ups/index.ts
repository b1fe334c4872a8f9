import { accountImports } from '../../models/back-ups/account-import.ts'
import { resource } from '../../operation/resource.ts'

export const backUps = resource({
  title: 'Back-ups',
  description: 'Exports and imports of an account.',
  collections: [accountImports],
  operations: [],
})
