import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { expand } from '../../operation/schema.ts'
import { listEnvironmentsOf, serializeEnvironments } from '../environments/environments-response.ts'
import { projectResponse, serializeProject } from './project-schema.ts'

export const getProject = getOperation(projects, {
  id: 'getProject',
  summary: 'Get a project',
  path: '/api/v2/projects/{projectKey}',
  query: v.object({ expand: expand('environments') }),
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: projectResponse,
  async serialize(context, project, keys, query) {
    if (!query.expand.includes('environments')) return serializeProject(context, project)
    const page = await listEnvironmentsOf(context, keys)
    return serializeProject(context, project, await serializeEnvironments(context, project.key, page.items, page.total))
  },
})
