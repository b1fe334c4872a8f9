import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { policyRankings, rankingOf } from '../../models/release-policies/policy-ranking.ts'
import { maxPolicies } from '../../models/release-policies/release-policy.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { key, list } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { releasePolicyResponse } from './release-policy-schema.ts'
import { serializePolicies } from './serialize-policies.ts'

export const orderReleasePolicies = operation({
  id: 'orderReleasePolicies',
  undo: [undoOf(policyRankings, { restores: ['defaultKey'], implied: ({ tx }, keys) => rankingOf(tx, keys) })],
  summary: 'Set the ranks of all release policies with a scope, by a list of their keys',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/release-policies/order',
  beta: 'declared',
  body: jsonBody(v.pipe(list(key()), v.maxLength(maxPolicies, `must contain at most ${maxPolicies} keys`))),
  success: { status: 200, body: list(releasePolicyResponse) },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateReleasePolicyRank',
    resource: 'proj/{projectKey}:release-policy/*',
    shows: viewsProject,
  },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const [project, ranking] = await Promise.all([tx.get(projects, params), rankingOf(tx, params)])
    if (!project) fail('not_found')
    const keys = new Set(body)
    if (
      keys.size < body.length ||
      keys.size !== ranking.scoped.length ||
      !ranking.scoped.every((policyKey) => keys.has(policyKey))
    ) {
      const reason = 'must contain every policy with a scope exactly once'
      fail('invalid_request', { errors: [{ attribute: '', reason }] })
    }
    const after = tx.replace(policyRankings, params, ranking, { ...ranking, scoped: body })
    return serializePolicies(context, params.projectKey, body, after)
  },
})
