import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { showsProject } from '../projects/project-wire.ts'
import { keysByRank, rankingOf } from './policy-ranking.ts'
import { presentPolicies } from './present-policies.ts'
import { releasePolicyWire } from './release-policy-wire.ts'

const yesOrNo = v.pipe(
  v.union([v.boolean(), v.string()]),
  v.check((value) => ['true', 'false'].includes(String(value)), 'must be true or false'),
  v.transform((value) => String(value) === 'true'),
)

export const listReleasePolicies = operation({
  id: 'listReleasePolicies',
  summary: 'List the release policies of a project by rank',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/release-policies',
  beta: 'declared',
  query: v.object({ ...page(), excludeDefault: v.optional(yesOrNo, false) }),
  success: { status: 200, body: collection(releasePolicyWire) },
  errors: ['invalid_request', 'not_found'],
  access: showsProject,
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const [project, ranking] = await Promise.all([tx.get(projects, params), rankingOf(tx, params)])
    if (!project) fail('not_found')
    const keys = query.excludeDefault ? ranking.scoped : keysByRank(ranking)
    const { limit, offset } = query
    return {
      items: await presentPolicies(context, params.projectKey, keys.slice(offset, offset + limit), ranking),
      totalCount: keys.length,
      _links: pageLinks(context.url, query, keys.length),
    }
  },
})
