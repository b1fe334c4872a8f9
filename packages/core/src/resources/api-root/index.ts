import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const apiRoot = resource({
  title: 'API root',
  description: 'Information about the API and about the caller.',
  operations: Object.values(operations),
  parameters: { pre: 'Prefix of the tags.' },
})
