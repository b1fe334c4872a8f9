import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const invitations = resource({
  title: 'Invitations',
  description: 'Links by which invited members get their first access token.',
  operations: Object.values(operations),
})
