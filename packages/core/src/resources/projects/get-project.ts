import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { expand } from '../../operation/schema.ts'
import { listEnvironmentsOf, presentEnvironments } from '../environments/present-environments.ts'
import { presentProject, projectWire } from './project-wire.ts'

export const getProject = getOperation(projects, {
  id: 'getProject',
  summary: 'Get a project',
  path: '/api/v2/projects/{projectKey}',
  query: v.object({ expand: expand('environments') }),
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  response: projectWire,
  async serialize(context, project, keys, query) {
    if (!query.expand.includes('environments')) return presentProject(context, project)
    const page = await listEnvironmentsOf(context, keys)
    return presentProject(context, project, await presentEnvironments(context, project.key, page.items, page.total))
  },
})
