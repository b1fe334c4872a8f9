import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { allTexts, type TermFields, termFilter, words } from '../../operation/filters/term-conditions.ts'
import { page, sorts } from '../../operation/schema.ts'
import { environmentResponse, serializeEnvironment } from './environment-schema.ts'

/** Terms of the filter of environments. */
const fields: TermFields = { query: words('key', 'name'), tags: allTexts('tags') }

export const listEnvironments = listOperation(environments, {
  id: 'listEnvironments',
  summary: 'List the environments of a project',
  path: '/api/v2/projects/{projectKey}/environments',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: v.object({
    ...page(),
    query: v.optional(v.string()),
    filter: termFilter(fields),
    sort: sorts(
      { name: 'text', createdAt: 'number', createdOn: { field: 'createdAt', type: 'number' }, critical: 'boolean' },
      'name',
    ),
  }),
  select: ({ query, filter, sort }) => ({
    where: query ? [...filter, { op: 'contains', in: ['key', 'name'], text: query }] : filter,
    order: sort,
  }),
  within: projects,
  response: environmentResponse,
  serialize: (context, environment, { projectKey }) => serializeEnvironment(context, projectKey, environment),
})
