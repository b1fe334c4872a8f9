import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { releasePolicies } from './release-policy.ts'

export const deleteReleasePolicy = deleteOperation(releasePolicies, {
  id: 'deleteReleasePolicy',
  summary: 'Delete a release policy; the later ones move up by one rank',
  path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}',
  beta: 'declared',
  access: { action: 'deleteReleasePolicy', resource: 'proj/{projectKey}:release-policy/{policyKey}' },
})
