import { createDestination } from './create-destination.ts'
import { deleteDestination } from './delete-destination.ts'
import { generateTrustPolicy } from './generate-trust-policy.ts'
import { getDestination } from './get-destination.ts'
import { listDestinations } from './list-destinations.ts'
import { patchDestination } from './patch-destination.ts'

export const destinationOperations = [
  listDestinations,
  createDestination,
  getDestination,
  patchDestination,
  deleteDestination,
  generateTrustPolicy,
] as const
