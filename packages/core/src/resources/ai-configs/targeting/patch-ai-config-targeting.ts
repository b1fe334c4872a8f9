import * as v from 'valibot'
import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings, defaultTargeting } from '../../../models/ai-configs/ai-config-targeting.ts'
import { environments } from '../../../models/environments/environment.ts'
import { semanticPatchBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import { bypassQuery } from '../../environments/approval-bypass-query.ts'
import { aiConfigTargetingResponse, serializeTargeting } from './ai-config-targeting-response.ts'
import { applyInstructions } from './apply-instructions.ts'
import { saveTargeting } from './save-targeting.ts'
import { aiConfigInstruction } from './targeting-instructions.ts'
import { loadTargeting, revisionOfTargeting } from './targeting-state.ts'

export const patchAIConfigTargeting = operation({
  id: 'patchAIConfigTargeting',
  undo: [
    undoOf(aiConfigTargetings, {
      async implied({ tx }, keys) {
        const [config, environment] = await Promise.all([tx.get(aiConfigs, keys), tx.get(environments, keys)])
        return config && environment && defaultTargeting(config, environment)
      },
      async update(context, { keys, wanted }, { comment }) {
        const before = (await loadTargeting(context.tx, keys)) ?? context.fail('not_found')
        const refuse = (reason: string) =>
          context.fail('invalid_request', { errors: [{ attribute: `environments.${keys.environmentKey}`, reason }] })
        const change = {
          config: before.config,
          targeting: wanted,
          comment,
          refuse,
          sentences: { config: [], targeting: [] },
        }
        await saveTargeting(context, { keys, before }, change)
      },
    }),
  ],
  summary: 'Update the targeting of an AI config by a semantic patch',
  method: 'PATCH',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}/targeting',
  query: v.object(bypassQuery),
  body: semanticPatchBody(aiConfigInstruction),
  success: { status: 200, body: aiConfigTargetingResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  // The response contains all environments. The right to change one is checked where the change is written, for the
  // environment of the patch.
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, body }) {
    const before = (await loadTargeting(context.tx, params)) ?? context.fail('not_found')
    context.requireRevision(revisionOfTargeting(before))
    const change = applyInstructions(context.useHost(), before, body)
    const after = await saveTargeting(context, { keys: params, before }, change)
    context.setRevision(revisionOfTargeting(after))
    return serializeTargeting(context, params, after)
  },
})
