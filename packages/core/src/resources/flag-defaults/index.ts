import { flagDefaults as flagDefaultDocuments } from '../../models/projects/flag-defaults.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const flagDefaults = resource({
  title: 'Flag defaults',
  description: 'The values of properties that a request to create a flag omits.',
  collections: [flagDefaultDocuments],
  operations: Object.values(operations),
})
