import { releases } from '../../models/releases/release.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { releaseResponse, serializeRelease } from './release-schema.ts'

export const getRelease = getOperation(releases, {
  id: 'getRelease',
  summary: 'Get the release of a feature flag',
  path: '/api/v2/flags/{projectKey}/{flagKey}/release',
  beta: 'tagged',
  access: viewsProject,
  response: releaseResponse,
  serialize: serializeRelease,
})
