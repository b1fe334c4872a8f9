import { operation } from '../../../operation/operation.ts'
import { aiConfigTargetingResponse, serializeTargeting } from './ai-config-targeting-response.ts'
import { loadTargeting, revisionOfTargeting } from './targeting-state.ts'

export const getAIConfigTargeting = operation({
  id: 'getAIConfigTargeting',
  summary: 'Get the targeting of an AI config in all environments',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/targeting',
  success: { status: 200, body: aiConfigTargetingResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const state = (await loadTargeting(context.tx, params)) ?? context.fail('not_found')
    context.setRevision(revisionOfTargeting(state))
    return serializeTargeting(context, params, state)
  },
})
