import { updateCard, withMembers } from '../../operation/cards/update-card.ts'
import { nextRevision } from '../../storage/revisions.ts'
import { aiModelConfigRevisions, aiModelConfigs } from './ai-model-config.ts'
import { aiModelConfigPatch, aiModelConfigWire, presentAIModelConfig } from './ai-model-config-wire.ts'

export const patchModelConfig = updateCard(aiModelConfigs, {
  id: 'patchModelConfig',
  method: 'PATCH',
  summary: 'Make a new version of a model config',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs/{modelConfigKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: aiModelConfigPatch,
  change: (context, before, body, keys) =>
    nextRevision(context.tx, aiModelConfigRevisions, keys, before, withMembers(before, body), context.readClock()),
  answer: aiModelConfigWire,
  present: presentAIModelConfig,
})
