import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const changeLists = resource({
  title: 'Lists of changes',
  description: 'Several changes that are applied as one commit: all of them or none.',
  operations: Object.values(operations),
})
