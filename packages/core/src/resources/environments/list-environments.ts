import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { page, sort } from '../../operation/schema.ts'
import { environmentResponse, serializeEnvironment } from './environment-schema.ts'

export const listEnvironments = listOperation(environments, {
  id: 'listEnvironments',
  summary: 'List the environments of a project',
  path: '/api/v2/projects/{projectKey}/environments',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: v.object({
    ...page(),
    query: v.optional(v.string()),
    sort: sort({ name: 'text', createdAt: 'number', critical: 'text' }, 'name'),
  }),
  select: ({ query, sort }) => ({
    where: query ? [{ op: 'contains', in: ['key', 'name'], text: query }] : [],
    order: [sort],
  }),
  within: projects,
  response: environmentResponse,
  serialize: (context, environment, { projectKey }) => serializeEnvironment(context, projectKey, environment),
})
