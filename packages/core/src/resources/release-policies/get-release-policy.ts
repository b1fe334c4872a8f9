import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { showsProject } from '../projects/project-wire.ts'
import { releasePolicies } from './release-policy.ts'
import { presentReleasePolicy, releasePolicyWire } from './release-policy-wire.ts'

export const getReleasePolicy = getOperation(releasePolicies, {
  id: 'getReleasePolicy',
  summary: 'Get a release policy',
  path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}',
  beta: 'declared',
  access: showsProject,
  response: releasePolicyWire,
  serialize: presentReleasePolicy,
})
