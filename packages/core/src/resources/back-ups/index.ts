import { resource } from '../../operation/resource.ts'
import { accountImports } from './account-import.ts'

export const backUps = resource({
  title: 'Back-ups',
  description: 'Exports and imports of an account.',
  collections: [accountImports],
  operations: [],
})
