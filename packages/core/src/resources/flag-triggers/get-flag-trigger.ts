import { operation } from '../../operation/operation.ts'
import { flagTriggers } from './flag-trigger.ts'
import { flagTriggerResponse, serializeFlagTrigger } from './flag-trigger-schema.ts'

export const getFlagTrigger = operation({
  id: 'getFlagTrigger',
  summary: 'Get a trigger of a flag, without its URL',
  method: 'GET',
  path: '/api/v2/flags/{projectKey}/{flagKey}/triggers/{environmentKey}/{id}',
  success: { status: 200, body: flagTriggerResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const trigger = (await context.tx.get(flagTriggers, params)) ?? context.fail('not_found')
    context.setRevision(trigger.version, true)
    return serializeFlagTrigger(context, trigger, params)
  },
})
