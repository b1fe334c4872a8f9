import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { findInsightGroup } from './find-insight-group.ts'
import { insightGroupIndex, insightGroups } from './insight-group.ts'

export const deleteInsightGroup = operation({
  id: 'deleteInsightGroup',
  undo: [
    undoOf(insightGroups, {
      async remove(context, keys, group) {
        await context.demand('deleteInsightGroup', insightGroups, keys, group)
        context.tx.remove(insightGroups, keys, group)
        context.tx.discard(insightGroupIndex, keys)
      },
    }),
  ],
  summary: 'Delete an insight group, but not the data of its scores',
  method: 'DELETE',
  path: '/api/v2/engineering-insights/insights/groups/{insightGroupKey}',
  beta: 'tagged',
  success: { status: 204 },
  errors: ['forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the project is known only after the group was read; the right to delete is checked then',
    demands: ['deleteInsightGroup'],
  },
  async handle(context, { params }) {
    const { tx } = context
    const { keys, document } = (await findInsightGroup(context, params)) ?? context.fail('not_found')
    await context.demand('deleteInsightGroup', insightGroups, keys, document)
    context.requireRevision(document.version)
    tx.remove(insightGroups, keys, document)
    tx.discard(insightGroupIndex, keys)
  },
})
