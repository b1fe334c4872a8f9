import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { projects } from './project.ts'
import { presentProject, projectSettings, projectWire } from './project-wire.ts'

export const patchProject = operation({
  id: 'patchProject',
  summary: 'Change a project',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}',
  body: patchBody(['/name', '/tags/**', '/includeInSnippetByDefault', '/defaultClientSideAvailability/**']),
  success: { status: 200, body: projectWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: projects.changeActions,
    resource: 'proj/{projectKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const before = (await context.tx.get(projects, params)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    const after = context.tx.replace(projects, params, before, patchDocument(before, body, projectSettings))
    context.revision(after.version)
    return presentProject(context, after)
  },
})
