import { aiModelConfigRevisions, aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { updateCard, withMembers } from '../../operation/cards/update-card.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { aiModelConfigPatch, aiModelConfigWire, presentAIModelConfig } from './ai-model-config-wire.ts'

export const patchModelConfig = updateCard(aiModelConfigs, {
  id: 'patchModelConfig',
  method: 'PATCH',
  summary: 'Make a new version of a model config',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs/{modelConfigKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: aiModelConfigPatch,
  change: ({ tx, now }, before, body, keys) =>
    nextRevision(tx, aiModelConfigRevisions, keys, before, withMembers(before, body), now),
  answer: aiModelConfigWire,
  present: presentAIModelConfig,
})
