import * as v from 'valibot'
import { withMaintainer } from '../../models/maintainers/maintainer.ts'
import { views } from '../../models/views/view.ts'
import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { undoMaintained } from '../maintainers/undo-maintained.ts'
import { requireMaintainer } from './require-maintainer.ts'
import { serializeView, viewResponse, viewSettings } from './view-schema.ts'

export const patchView = updateOperation(views, {
  id: 'patchView',
  undo: undoMaintained(views),
  summary: 'Update a view; a new maintainer replaces the old one',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}',
  beta: 'declared',
  shows: { action: 'viewView', resource: 'proj/{projectKey}:view/{viewKey}' },
  body: v.strictObject({ ...v.partial(viewSettings).entries, comment: v.optional(v.string()) }),
  async change(context, before, body) {
    await requireMaintainer(context, body)
    return { ...withMaintainer(withProperties(before, body), body), updatedAt: context.readClock() }
  },
  response: viewResponse,
  serialize: serializeView,
})
