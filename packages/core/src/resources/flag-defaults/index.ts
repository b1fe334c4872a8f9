import { flagDefaults as flagDefaultDocuments } from '../../models/projects/flag-defaults.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const flagDefaults = resource({
  title: 'Flag defaults',
  description: 'The properties that new flags of a project have where the request that creates them has none.',
  collections: [flagDefaultDocuments],
  operations: Object.values(operations),
})
