import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { key, text } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { flagTriggerIndex, flagTriggers } from './flag-trigger.ts'
import { flagTriggerResponse, serializeFlagTrigger, triggerInstructions } from './flag-trigger-schema.ts'
import { mandateForTrigger } from './trigger-author.ts'
import { undoDeletion } from './undo-triggers.ts'

export const createFlagTrigger = operation({
  id: 'createFlagTrigger',
  undo: [undoOf(flagTriggers, undoDeletion)],
  summary:
    'Create a trigger of a flag in an environment; only this response contains its URL, and a request to the URL has the rights that the caller then still has',
  method: 'POST',
  path: '/api/v2/flags/{projectKey}/{flagKey}/triggers/{environmentKey}',
  body: jsonBody(
    v.strictObject({
      integrationKey: key(),
      instructions: v.optional(triggerInstructions, [{ kind: 'turnFlagOff' }]),
      comment: v.optional(text()),
    }),
  ),
  success: { status: 201, body: flagTriggerResponse, pathProperties: ['triggerURL'] },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'createTriggers', resource: flagTriggers.policyTemplate },
  async handle(context, { params, body: { integrationKey, instructions } }) {
    const { tx, fail } = context
    const [flag, environment] = await Promise.all([tx.get(flags, params), tx.get(environments, params)])
    if (!flag || !environment) return fail('not_found')
    const mandate = await mandateForTrigger(context, params)
    const host = context.useHost()
    const id = host.newId()
    const secret = host.randomHex(32)
    const keys = { ...params, id }
    const trigger = tx.insert(flagTriggers, keys, {
      id,
      integrationKey,
      enabled: true,
      instructions,
      mandate,
      hash: await host.sha256(secret),
      createdAt: context.readClock(),
    })
    tx.ensure(flagTriggerIndex, { id }, params)
    tx.expect(flags, params, flag)
    tx.expect(environments, params, environment)
    context.setRevision(trigger.version)
    return serializeFlagTrigger(context, trigger, keys, secret)
  },
})
