import { environments } from '../../models/environments/environment.ts'
import { listCard } from '../../operation/cards/list-card.ts'
import { applications } from './application.ts'
import { applicationWire, presentApplication } from './application-wire.ts'

export const listApplications = listCard(applications, {
  id: 'listApplications',
  summary: 'List the applications that were deployed to an environment, by key',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/applications',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: environments,
  answer: applicationWire,
  present: presentApplication,
})
