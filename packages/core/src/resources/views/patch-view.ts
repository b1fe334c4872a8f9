import * as v from 'valibot'
import { updateCard } from '../../operation/cards/update-card.ts'
import { requireMaintainer } from './require-maintainer.ts'
import { type View, views } from './view.ts'
import { presentView, viewSettings, viewWire } from './view-wire.ts'

export const patchView = updateCard(views, {
  id: 'patchView',
  summary: 'Change a view; a new maintainer takes the place of the old one',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}',
  beta: 'declared',
  shows: { action: 'viewView', resource: 'proj/{projectKey}:view/{viewKey}' },
  body: v.strictObject({ ...v.partial(viewSettings).entries, comment: v.optional(v.string()) }),
  async change(context, before, { comment, ...given }) {
    await requireMaintainer(context, given)
    const { maintainerId, maintainerTeamKey, ...rest } = before
    const named = given.maintainerId !== undefined || given.maintainerTeamKey !== undefined
    const kept: Omit<View, 'updatedAt'> = named ? rest : before
    const set = Object.entries(given).filter(([, value]) => value !== undefined)
    return { ...kept, ...Object.fromEntries(set), updatedAt: context.now }
  },
  answer: viewWire,
  present: presentView,
})
