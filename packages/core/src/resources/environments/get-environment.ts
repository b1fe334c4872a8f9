import { environments } from '../../models/environments/environment.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { environmentWire, presentEnvironment } from './environment-wire.ts'

export const getEnvironment = getCard(environments, {
  id: 'getEnvironment',
  summary: 'Fetch an environment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: environmentWire,
  present: (context, environment, { projectKey }) => presentEnvironment(context, projectKey, environment),
})
