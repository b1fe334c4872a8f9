import * as v from 'valibot'
import { updateCard, withMembers } from '../../operation/cards/update-card.ts'
import { maintainedBy } from '../maintainers/maintainer.ts'
import { requireMaintainer } from './require-maintainer.ts'
import { views } from './view.ts'
import { presentView, viewSettings, viewWire } from './view-wire.ts'

export const patchView = updateCard(views, {
  id: 'patchView',
  summary: 'Change a view; a new maintainer takes the place of the old one',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}',
  beta: 'declared',
  shows: { action: 'viewView', resource: 'proj/{projectKey}:view/{viewKey}' },
  body: v.strictObject({ ...v.partial(viewSettings).entries, comment: v.optional(v.string()) }),
  async change(context, before, body) {
    await requireMaintainer(context, body)
    return { ...maintainedBy(withMembers(before, body), body), updatedAt: context.readClock() }
  },
  answer: viewWire,
  present: presentView,
})
