import { updateOperation } from '../../operation/document-operations/update-operation.ts'
import { showsProject } from '../projects/project-wire.ts'
import { placePolicy } from './place-policy.ts'
import { releasePolicies } from './release-policy.ts'
import { policyReplacement, presentReleasePolicy, releasePolicyWire } from './release-policy-wire.ts'

export const putReleasePolicy = updateOperation(releasePolicies, {
  id: 'putReleasePolicy',
  summary: 'Replace a release policy; omitted properties are reset',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/release-policies/{policyKey}',
  beta: 'declared',
  shows: showsProject,
  body: policyReplacement,
  async change(context, before, body, keys) {
    const { id, key, createdAt, version } = before
    const policy = { id, key, ...body, createdAt, version }
    await placePolicy(context, keys, before, policy)
    return policy
  },
  response: releasePolicyWire,
  serialize: presentReleasePolicy,
})
