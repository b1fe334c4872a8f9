import { environments } from '../../models/environments/environment.ts'
import { patchCard } from '../../operation/cards/patch-card.ts'
import { environmentSettings, environmentWire, presentEnvironment } from './environment-wire.ts'

export const patchEnvironment = patchCard(environments, {
  id: 'patchEnvironment',
  summary: 'Change an environment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: environmentSettings,
  answer: environmentWire,
  present: (context, environment, { projectKey }) => presentEnvironment(context, projectKey, environment),
})
