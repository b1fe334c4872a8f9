import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const apiRoot = resource({
  title: 'API root',
  description: 'What a client can know of the API and of itself before it knows a resource.',
  operations: Object.values(operations),
  parameters: { pre: 'Text with which the tags begin.' },
})
