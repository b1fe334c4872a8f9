import { releases } from '../../models/releases/release.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { showsProject } from '../projects/project-wire.ts'
import { presentRelease, releaseWire } from './release-wire.ts'

export const getRelease = getCard(releases, {
  id: 'getRelease',
  summary: 'Fetch the release of a feature flag',
  path: '/api/v2/flags/{projectKey}/{flagKey}/release',
  beta: 'tagged',
  access: showsProject,
  answer: releaseWire,
  present: presentRelease,
})
