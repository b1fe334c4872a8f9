import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { expand } from '../../operation/schema.ts'
import { listEnvironmentsOf, presentEnvironments } from '../environments/present-environments.ts'
import { presentProject, projectWire } from './project-wire.ts'

export const getProject = getCard(projects, {
  id: 'getProject',
  summary: 'Fetch a project',
  path: '/api/v2/projects/{projectKey}',
  query: v.object({ expand: expand('environments') }),
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: projectWire,
  async present(context, project, keys, query) {
    if (!query.expand.includes('environments')) return presentProject(context, project)
    const page = await listEnvironmentsOf(context, keys)
    return presentProject(context, project, await presentEnvironments(context, project.key, page.items, page.total))
  },
})
