import { resource } from '../../operation/resource.ts'
import { createDestination } from './create-destination.ts'
import { deleteDestination } from './delete-destination.ts'
import { destinations as destinationDocuments } from './destination.ts'
import { exportIdentities } from './export-identity.ts'
import { generateTrustPolicy } from './generate-trust-policy.ts'
import { getDestination } from './get-destination.ts'
import { listDestinations } from './list-destinations.ts'
import { patchDestination } from './patch-destination.ts'

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
  operations: [
    listDestinations,
    createDestination,
    getDestination,
    patchDestination,
    deleteDestination,
    generateTrustPolicy,
  ],
  parameters: {
    envKey: 'Key of the environment.',
  },
})
