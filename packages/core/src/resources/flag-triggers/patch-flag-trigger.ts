import { semanticPatchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { type FlagTrigger, flagTriggers } from './flag-trigger.ts'
import { flagTriggerResponse, serializeFlagTrigger, triggerPatchInstruction } from './flag-trigger-schema.ts'
import { saveTrigger } from './trigger-author.ts'
import { undoChange } from './undo-triggers.ts'

export const patchFlagTrigger = operation({
  id: 'patchFlagTrigger',
  undo: [undoOf(flagTriggers, undoChange)],
  summary:
    'Turn a trigger on or off, replace its instruction or its URL; the caller becomes its author, unless it is only turned off',
  method: 'PATCH',
  path: '/api/v2/flags/{projectKey}/{flagKey}/triggers/{environmentKey}/{id}',
  body: semanticPatchBody(triggerPatchInstruction),
  success: { status: 200, body: flagTriggerResponse, pathProperties: ['triggerURL'] },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateTriggers',
    resource: flagTriggers.policyTemplate,
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const before = (await context.tx.get(flagTriggers, params)) ?? context.fail('not_found')
    context.requireRevision(before.version)
    let changedTrigger: FlagTrigger = before
    let secret: string | undefined
    for (const instruction of body.instructions) {
      if (instruction.kind === 'cycleTriggerUrl') {
        const host = context.useHost()
        secret = host.randomHex(32)
        changedTrigger = { ...changedTrigger, hash: await host.sha256(secret) }
      } else if (instruction.kind === 'replaceTriggerActionInstructions') {
        changedTrigger = { ...changedTrigger, instructions: instruction.value }
      } else changedTrigger = { ...changedTrigger, enabled: instruction.kind === 'enableTrigger' }
    }
    const after =
      changedTrigger === before ? before : await saveTrigger(context, { keys: params, before, after: changedTrigger })
    context.setRevision(after.version)
    return serializeFlagTrigger(context, after, params, secret)
  },
})
