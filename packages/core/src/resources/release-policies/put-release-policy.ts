import { releasePolicies } from '../../models/release-policies/release-policy.ts'
import { updateOperation } from '../../operation/document-operations/update-operation.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { rankPolicy } from './rank-policy.ts'
import { policyReplacement, releasePolicyResponse, serializeReleasePolicy } from './release-policy-schema.ts'

export const putReleasePolicy = updateOperation(releasePolicies, {
  id: 'putReleasePolicy',
  summary: 'Replace a release policy; omitted properties are reset',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}',
  beta: 'declared',
  shows: viewsProject,
  body: policyReplacement,
  async change(context, before, body, keys) {
    const { id, key, createdAt, version } = before
    const policy = { id, key, ...body, createdAt, version }
    await rankPolicy(context, keys, before, policy)
    return policy
  },
  response: releasePolicyResponse,
  serialize: serializeReleasePolicy,
})
