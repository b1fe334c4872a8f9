import { releasePolicies } from '../../models/release-policies/release-policy.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { releasePolicyResponse, serializeReleasePolicy } from './release-policy-schema.ts'

export const getReleasePolicy = getOperation(releasePolicies, {
  id: 'getReleasePolicy',
  summary: 'Get a release policy',
  path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}',
  beta: 'declared',
  access: viewsProject,
  response: releasePolicyResponse,
  serialize: serializeReleasePolicy,
})
