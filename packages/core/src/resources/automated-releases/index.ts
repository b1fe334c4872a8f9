import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const automatedReleases = resource({
  title: 'Automated releases',
  description: 'Releases of a variation in stages, which the engine performs.',
  collections: [],
  operations: Object.values(operations),
})
