import { aiToolRevisions, aiTools } from '../../models/ai-tools/ai-tool.ts'
import { withMaintainer } from '../../models/maintainers/maintainer.ts'
import { updateOperation, withProperties } from '../../operation/document-operations/update-operation.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { undoRevised } from '../maintainers/undo-maintained.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'
import { aiToolPatch, aiToolResponse, serializeAITool } from './ai-tool-schema.ts'

export const patchAITool = updateOperation(aiTools, {
  id: 'patchAITool',
  undo: undoRevised(aiTools, aiToolRevisions),
  method: 'PATCH',
  summary: 'Update a tool, which creates a new version; variations keep the version that they refer to',
  path: '/api/v2/projects/{projectKey}/ai-tools/{toolKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: aiToolPatch,
  async change(context, before, body, keys) {
    const { tx, fail } = context
    const now = context.readClock()
    const errors = await validateMaintainer(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    const after = withMaintainer(withProperties(before, body), body)
    return nextRevision(tx, aiToolRevisions, { keys, before, after }, now)
  },
  response: aiToolResponse,
  serialize: serializeAITool,
})
