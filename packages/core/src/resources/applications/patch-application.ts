import { patchCard } from '../../operation/cards/patch-card.ts'
import { applications } from './application.ts'
import { applicationSettings, applicationWire, presentApplication } from './application-wire.ts'

export const patchApplication = patchCard(applications, {
  id: 'patchApplication',
  summary: 'Rename or describe an application',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/applications/{applicationKey}',
  beta: 'tagged',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: applicationSettings,
  paths: ['/name', '/kind', '/description'],
  answer: applicationWire,
  present: presentApplication,
})
