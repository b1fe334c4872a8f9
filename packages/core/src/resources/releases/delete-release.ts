import { releases } from '../../models/releases/release.ts'
import { deleteCard } from '../../operation/cards/delete-card.ts'

export const deleteRelease = deleteCard(releases, {
  id: 'deleteRelease',
  summary: 'Take a feature flag out of its release pipeline; the flag stays as it is',
  path: '/api/v2/flags/{projectKey}/{flagKey}/release',
  beta: 'tagged',
  access: { action: 'removeReleasePipeline', resource: 'proj/{projectKey}:env/*:flag/{flagKey}' },
})
