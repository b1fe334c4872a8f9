import { releasePolicies } from '../../models/release-policies/release-policy.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteReleasePolicy = deleteOperation(releasePolicies, {
  id: 'deleteReleasePolicy',
  summary: 'Delete a release policy; the later ones move up by one rank',
  path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}',
  beta: 'declared',
  access: { action: 'deleteReleasePolicy', resource: 'proj/{projectKey}:release-policy/{policyKey}' },
})
