import { getCard } from '../../operation/cards/get-card.ts'
import { applications } from './application.ts'
import { applicationWire, presentApplication } from './application-wire.ts'

export const getApplication = getCard(applications, {
  id: 'getApplication',
  summary: 'Fetch an application',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/applications/{applicationKey}',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: applicationWire,
  present: presentApplication,
})
