import { aiToolRevisions, aiTools } from '../../models/ai-tools/ai-tool.ts'
import { maintainedBy } from '../../models/maintainers/maintainer.ts'
import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { aiToolPatch, aiToolWire, presentAITool } from './ai-tool-wire.ts'

export const patchAITool = updateOperation(aiTools, {
  id: 'patchAITool',
  method: 'PATCH',
  summary: 'Update a tool, which creates a new version; variations keep the version that they refer to',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: aiToolPatch,
  async change(context, before, body, keys) {
    const { tx, fail } = context
    const now = context.readClock()
    const errors = await maintainerFaults(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    return nextRevision(tx, aiToolRevisions, keys, before, maintainedBy(withProperties(before, body), body), now)
  },
  response: aiToolWire,
  serialize: presentAITool,
})
