import * as v from 'valibot'
import { withDefaultMaintainer } from '../../models/maintainers/maintainer.ts'
import { projects } from '../../models/projects/project.ts'
import { views } from '../../models/views/view.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { requireMaintainer } from './require-maintainer.ts'
import { serializeView, viewKey, viewResponse, viewSettings } from './view-schema.ts'

const { name, description, tags, maintainerId, maintainerTeamKey } = viewSettings.entries

export const createView = createOperation(views, {
  id: 'createView',
  summary: 'Create a view without linked resources',
  path: '/api/v2/projects/{projectKey}/views',
  beta: 'declared',
  access: { action: 'createView', resource: 'proj/{projectKey}:view/{body.key}' },
  within: projects,
  body: v.strictObject({
    key: viewKey(),
    name,
    description: v.optional(description, ''),
    tags: v.optional(tags, []),
    maintainerId,
    maintainerTeamKey,
  }),
  async make(context, body, _, project) {
    await requireMaintainer(context, body)
    const { caller } = context
    const host = context.useHost()
    const now = context.readClock()
    return {
      ...withDefaultMaintainer(body, caller),
      id: host.newId(),
      projectId: project.id,
      archived: false,
      createdAt: now,
      updatedAt: now,
      unlinks: 0,
    }
  },
  response: viewResponse,
  serialize: serializeView,
})
