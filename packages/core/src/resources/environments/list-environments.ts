import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page, sort } from '../../operation/schema.ts'
import { projects } from '../projects/project.ts'
import { environments } from './environment.ts'
import { environmentWire } from './environment-wire.ts'
import { presentEnvironments } from './present-environments.ts'

export const listEnvironments = operation({
  id: 'listEnvironments',
  summary: "List a project's environments",
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments',
  query: v.object({
    ...page(),
    query: v.optional(v.string()),
    sort: sort(['name', 'createdAt', 'critical'], 'name'),
  }),
  success: { status: 200, body: collection(environmentWire) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    if (!(await context.tx.get(projects, params))) context.fail('not_found')
    const found = await context.tx.list(environments, params, {
      where: query.query ? [{ op: 'contains', in: ['key', 'name'], text: query.query }] : [],
      order: [{ ...query.sort, type: query.sort.field === 'createdAt' ? 'number' : 'text' }],
      limit: query.limit,
      offset: query.offset,
    })
    return {
      ...(await presentEnvironments(context, params.projectKey, found.items, found.total)),
      _links: pageLinks(context.url, query, found.total),
    }
  },
})
