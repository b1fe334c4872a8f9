import { releases } from '../../models/releases/release.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteRelease = deleteOperation(releases, {
  id: 'deleteRelease',
  summary: 'Delete the release of a feature flag; the flag stays unchanged',
  path: '/api/v2/flags/{projectKey}/{flagKey}/release',
  beta: 'tagged',
  // A release has the address of its flag, so the data under this address belong to the flag.
  undo: { keepsContents: true },
  access: { action: 'removeReleasePipeline', resource: 'proj/{projectKey}:env/*:flag/{flagKey}' },
})
