import { resource } from '../../operation/resource.ts'
import { destinations as destinationDocuments } from './destination.ts'
import { destinationFailures } from './destination-outbox.ts'
import { exportIdentities } from './export-identity.ts'
import * as operations from './operations.ts'

export const destinations = resource({
  title: 'Destinations',
  description: 'Systems to which data is exported, and the log of what they received.',
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
  collections: [destinationDocuments, exportIdentities, destinationFailures],
  operations: Object.values(operations),
  parameters: { outcome: 'Only attempts with this outcome.' },
})
