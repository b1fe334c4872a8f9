import * as v from 'valibot'
import { aiToolRevisions, aiTools } from '../../models/ai-tools/ai-tool.ts'
import { withDefaultMaintainer } from '../../models/maintainers/maintainer.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { key } from '../../operation/schema.ts'
import { firstRevision } from '../../storage/revisions.ts'
import { validateMaintainer } from '../maintainers/validate-maintainer.ts'
import { aiToolPatch, aiToolResponse, serializeAITool } from './ai-tool-schema.ts'

export const createAITool = createOperation(aiTools, {
  id: 'createAITool',
  summary: 'Create a tool that variations of AI configs can offer to a model',
  path: '/api/v2/projects/{projectKey}/ai-tools',
  access: { action: 'createAITool', resource: 'proj/{projectKey}:ai-tool/{body.key}' },
  within: projects,
  body: v.strictObject({ ...aiToolPatch.entries, key: key(), schema: aiToolPatch.entries.schema.wrapped }),
  async make(context, body, { projectKey }) {
    const { tx, caller, fail } = context
    const now = context.readClock()
    const errors = await validateMaintainer(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    const { description = '', customParameters = {}, ...settings } = body
    const tool = withDefaultMaintainer({ ...settings, description, customParameters, holds: 0 }, caller)
    return firstRevision(tx, { revisions: aiToolRevisions, keys: { projectKey, toolKey: body.key } }, tool, now)
  },
  response: aiToolResponse,
  serialize: serializeAITool,
})
