import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { commaList, page, sort } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import { projectResponse, serializeProject } from './project-schema.ts'

const listQuery = v.object({
  ...page(),
  query: v.optional(v.string()),
  keys: v.optional(commaList()),
  tags: v.optional(commaList()),
  sort: sort({ name: 'text', createdAt: 'number', createdOn: { field: 'createdAt', type: 'number' } }, 'name'),
})

export const listProjects = listOperation(projects, {
  id: 'listProjects',
  summary: 'List the projects that the caller may view',
  path: '/api/v2/projects',
  access: { open: true, why: 'the list omits what the caller may not view' },
  query: listQuery,
  select: (query) => ({ where: conditions(query), order: [query.sort] }),
  visible: 'viewProject',
  response: projectResponse,
  serialize: (context, project) => serializeProject(context, project),
})

function conditions(query: v.InferOutput<typeof listQuery>): Condition[] {
  const where: Condition[] = []
  if (query.query) where.push({ op: 'contains', in: ['key', 'name'], text: query.query })
  if (query.keys) where.push({ op: 'anyOf', field: 'key', values: query.keys })
  for (const tag of query.tags ?? []) where.push({ op: 'equals', field: 'tags', value: tag })
  return where
}
