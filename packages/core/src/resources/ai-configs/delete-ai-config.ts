import * as v from 'valibot'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { refuseWhileReferenced } from '../../models/ai-configs/referencing-variations.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { targetingsOf } from './targeting/targetings-of.ts'

export const deleteAIConfig = deleteOperation(aiConfigs, {
  id: 'deleteAIConfig',
  summary: 'Delete an AI config that no other resource uses, with its variations and its targeting',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  access: { action: 'deleteAIConfig', resource: 'proj/{projectKey}:aiconfig/{configKey}' },
  query: v.object(bypassQuery),
  contents: true,
  async also(context, config, keys) {
    const { tx, fail } = context
    const { dependencies } = config
    const [targetings] = await Promise.all([
      targetingsOf(tx, keys),
      refuseWhileReferenced(context, keys, 'judges', keys.configKey),
    ])
    if (dependencies.length > 0) {
      const users = dependencies.map(({ type, key }) => `${type} ${key}`)
      fail('optimistic_locking_error', { message: `Other resources use this AI config: ${users.join(', ')}` })
    }
    for (const { environmentKey } of targetings) tx.discard(aiConfigTargetings, { ...keys, environmentKey })
  },
})
