import { updateCard, withMembers } from '../../operation/cards/update-card.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { maintainedBy } from '../maintainers/maintainer.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { aiToolRevisions, aiTools } from './ai-tool.ts'
import { aiToolPatch, aiToolWire, presentAITool } from './ai-tool-wire.ts'

export const patchAITool = updateCard(aiTools, {
  id: 'patchAITool',
  method: 'PATCH',
  summary: 'Make a new version of a tool; variations keep the version that they name',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: aiToolPatch,
  async change(context, before, body, keys) {
    const { tx, fail } = context
    const now = context.readClock()
    const errors = await maintainerFaults(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    return nextRevision(tx, aiToolRevisions, keys, before, maintainedBy(withMembers(before, body), body), now)
  },
  answer: aiToolWire,
  present: presentAITool,
})
