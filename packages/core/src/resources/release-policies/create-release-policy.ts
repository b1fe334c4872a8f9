import { projects } from '../../models/projects/project.ts'
import { releasePolicies } from '../../models/release-policies/release-policy.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { rankPolicy } from './rank-policy.ts'
import { policyRequest, releasePolicyResponse, serializeReleasePolicy } from './release-policy-schema.ts'

export const createReleasePolicy = createOperation(releasePolicies, {
  id: 'createReleasePolicy',
  summary: 'Create a release policy with the last rank; without a scope it is the default of the project',
  path: '/api/v2/projects/{projectKey}/release-policies',
  beta: 'declared',
  access: { action: 'createReleasePolicy', resource: 'proj/{projectKey}:release-policy/{body.key}' },
  within: projects,
  body: policyRequest,
  make: (context, body) => ({ id: context.useHost().newId(), ...body, createdAt: context.readClock() }),
  after: (context, policy, _, params) => rankPolicy(context, { ...params, policyKey: policy.key }, undefined, policy),
  response: releasePolicyResponse,
  serialize: serializeReleasePolicy,
})
