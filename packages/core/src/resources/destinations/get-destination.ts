import { getCard } from '../../operation/cards/get-card.ts'
import { destinations } from './destination.ts'
import { destinationWire, presentDestination } from './destination-wire.ts'

export const getDestination = getCard(destinations, {
  id: 'getDestination',
  summary: 'Fetch a destination of data exports; its secrets are masked',
  path: '/api/v2/destinations/{projectKey}/{environmentKey}/{id}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: destinationWire,
  present: presentDestination,
})
