import * as v from 'valibot'
import { createCard } from '../../operation/cards/create-card.ts'
import { key } from '../../operation/schema.ts'
import { firstRevision } from '../../storage/revisions.ts'
import { maintainedByMaker } from '../maintainers/maintainer.ts'
import { maintainerFaults } from '../maintainers/maintainer-faults.ts'
import { projects } from '../projects/project.ts'
import { aiToolRevisions, aiTools } from './ai-tool.ts'
import { aiToolPatch, aiToolWire, presentAITool } from './ai-tool-wire.ts'

export const createAITool = createCard(aiTools, {
  id: 'createAITool',
  summary: 'Create a tool that variations of AI configs can offer to a model',
  path: '/api/v2/projects/{projectKey}/ai-tools',
  access: { action: 'createAITool', resource: 'proj/{projectKey}:ai-tool/{body.key}' },
  within: projects,
  body: v.strictObject({ ...aiToolPatch.entries, key: key(), schema: aiToolPatch.entries.schema.wrapped }),
  async make(context, body, { projectKey }) {
    const { tx, caller, fail } = context
    const now = context.readClock()
    const errors = await maintainerFaults(tx, body)
    if (errors.length > 0) fail('invalid_request', { errors })
    const { description = '', customParameters = {}, ...given } = body
    const tool = maintainedByMaker({ ...given, description, customParameters, holds: 0 }, caller)
    return firstRevision(tx, aiToolRevisions, { projectKey, toolKey: body.key }, tool, now)
  },
  answer: aiToolWire,
  present: presentAITool,
})
