import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { keysByRank, rankingOf } from '../../models/release-policies/policy-ranking.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { booleanParameter, collection, page } from '../../operation/schema.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { releasePolicyResponse } from './release-policy-schema.ts'
import { serializePolicies } from './serialize-policies.ts'

export const listReleasePolicies = operation({
  id: 'listReleasePolicies',
  summary: 'List the release policies of a project by rank',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/release-policies',
  beta: 'declared',
  query: v.object({ ...page(), excludeDefault: v.optional(booleanParameter(), false) }),
  success: { status: 200, body: collection(releasePolicyResponse) },
  errors: ['invalid_request', 'not_found'],
  access: viewsProject,
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const [project, ranking] = await Promise.all([tx.get(projects, params), rankingOf(tx, params)])
    if (!project) fail('not_found')
    const keys = query.excludeDefault ? ranking.scoped : keysByRank(ranking)
    const { limit, offset } = query
    return {
      items: await serializePolicies(context, params.projectKey, keys.slice(offset, offset + limit), ranking),
      totalCount: keys.length,
      _links: pageLinks(context.url, query, keys.length),
    }
  },
})
