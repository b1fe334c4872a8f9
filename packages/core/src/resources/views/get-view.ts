import { views } from '../../models/views/view.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { presentView, viewWire } from './view-wire.ts'

export const getView = getCard(views, {
  id: 'getView',
  summary: 'Fetch a view',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}',
  beta: 'declared',
  access: { action: 'viewView', resource: 'proj/{projectKey}:view/{viewKey}' },
  answer: viewWire,
  present: presentView,
})
