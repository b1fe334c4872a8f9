import { releases } from '../../models/releases/release.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { showsProject } from '../projects/project-wire.ts'
import { presentRelease, releaseWire } from './release-wire.ts'

export const getRelease = getOperation(releases, {
  id: 'getRelease',
  summary: 'Get the release of a feature flag',
  path: '/api/v2/flags/{projectKey}/{flagKey}/release',
  beta: 'tagged',
  access: showsProject,
  response: releaseWire,
  serialize: presentRelease,
})
