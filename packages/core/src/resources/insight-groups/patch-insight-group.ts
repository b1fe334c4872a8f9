import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { findInsightGroup } from './find-insight-group.ts'
import { insightGroups } from './insight-group.ts'
import { insightGroupResponse, insightGroupSettings, serializeInsightGroup } from './insight-group-schema.ts'

export const patchInsightGroup = operation({
  id: 'patchInsightGroup',
  undo: [undoOf(insightGroups, {})],
  summary: 'Update the name or the applications of an insight group',
  method: 'PATCH',
  path: '/api/v2/engineering-insights/insights/groups/{insightGroupKey}',
  beta: 'tagged',
  body: patchBody(actionsByPath(['/name', '/applicationKeys/**'], insightGroups)),
  success: { status: 200, body: insightGroupResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only after the group was read; the right to update is checked then',
  },
  async handle(context, { params, body }) {
    const { keys, document } = (await findInsightGroup(context, params)) ?? context.fail('not_found')
    context.requireRevision(document.version)
    const patched = await patchDocument(document, body, insightGroupSettings, {
      shown: () => serializeInsightGroup(context, document),
    })
    const after = context.tx.replace(insightGroups, keys, document, patched)
    context.setRevision(after.version)
    return serializeInsightGroup(context, after)
  },
})
