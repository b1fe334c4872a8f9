import * as v from 'valibot'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { environments } from '../../models/environments/environment.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { maxEnvironments } from '../environments/environments-response.ts'
import { targetingsOf } from './targeting/targetings-of.ts'

export const deleteAIConfig = deleteOperation(aiConfigs, {
  id: 'deleteAIConfig',
  summary: 'Delete an AI config that no other resource uses, with its variations, its targeting and its metrics',
  path: '/api/v2/projects/{projectKey}/ai-configs/{configKey}',
  access: { action: 'deleteAIConfig', resource: 'proj/{projectKey}:aiconfig/{configKey}' },
  query: v.object({ ...bypassQuery, ...detachQuery }),
  contents: true,
  async also({ tx }, _, keys) {
    const targetings = await targetingsOf(tx, keys)
    for (const { environmentKey } of targetings) tx.discard(aiConfigTargetings, { ...keys, environmentKey })
    const { items } = await tx.list(environments, keys, { limit: maxEnvironments })
    for (const { key } of items) tx.clear(aiConfigTargetings.address.address({ ...keys, environmentKey: key }))
  },
})
