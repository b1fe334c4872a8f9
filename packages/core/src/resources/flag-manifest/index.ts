import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const flagManifest = resource({
  title: 'Flag manifest',
  description: 'The flags of a project in the format from which the OpenFeature CLI generates code.',
  operations: Object.values(operations),
})
