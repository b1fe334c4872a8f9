import { resource } from '../../operation/resource.ts'
import { destinations as destinationDocuments } from './destination.ts'
import { exportIdentities } from './export-identity.ts'
import * as operations from './operations.ts'

export const destinations = resource({
  title: 'Destinations',
  description: 'Systems that data is exported to.',
  kinds: [
    {
      shape: 'proj:env:destination',
      actions: [
        'createDestination',
        'updateName',
        'updateOn',
        'updateConfiguration',
        'generateTrustPolicy',
        'deleteDestination',
      ],
    },
  ],
  collections: [destinationDocuments, exportIdentities],
  operations: Object.values(operations),
})
