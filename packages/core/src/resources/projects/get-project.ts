import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { expand } from '../../operation/schema.ts'
import { listEnvironmentsOf, presentEnvironments } from '../environments/present-environments.ts'
import { projects } from './project.ts'
import { presentProject, projectWire } from './project-wire.ts'

export const getProject = operation({
  id: 'getProject',
  summary: 'Fetch a project',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}',
  query: v.object({ expand: expand('environments') }),
  success: { status: 200, body: projectWire },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const project = (await context.tx.get(projects, params)) ?? context.fail('not_found')
    context.revision(project.version)
    if (!query.expand.includes('environments')) return presentProject(context, project)
    const page = await listEnvironmentsOf(context, params)
    return presentProject(context, project, await presentEnvironments(context, project.key, page.items, page.total))
  },
})
