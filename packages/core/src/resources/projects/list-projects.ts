import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, commaList, page, sort } from '../../operation/schema.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import type { Condition } from '../../storage/port.ts'
import { projects } from './project.ts'
import { presentProject, projectWire } from './project-wire.ts'

const listQuery = v.object({
  ...page(),
  query: v.optional(v.string()),
  keys: v.optional(commaList()),
  tags: v.optional(commaList()),
  sort: sort(['name', 'createdAt'], 'name'),
})

export const listProjects = operation({
  id: 'listProjects',
  summary: 'List the projects that the caller may see',
  method: 'GET',
  path: '/api/v2/projects',
  query: listQuery,
  success: { status: 200, body: collection(projectWire) },
  errors: ['invalid_request'],
  access: { open: true, why: 'what the caller may not view is left out' },
  async handle(context, { query }) {
    const found = await visiblePage(
      context,
      {
        collection: projects,
        scope: {},
        action: 'viewProject',
        where: conditions(query),
        order: [{ ...query.sort, type: query.sort.field === 'name' ? 'text' : 'number' }],
      },
      query,
    )
    return {
      items: await Promise.all(found.items.map((project) => presentProject(context, project))),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})

function conditions(query: v.InferOutput<typeof listQuery>): Condition[] {
  const where: Condition[] = []
  if (query.query) where.push({ op: 'contains', in: ['key', 'name'], text: query.query })
  if (query.keys) where.push({ op: 'anyOf', field: 'key', values: query.keys })
  for (const tag of query.tags ?? []) where.push({ op: 'equals', field: 'tags', value: tag })
  return where
}
