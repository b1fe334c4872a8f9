import * as v from 'valibot'
import { aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deleteModelConfig = deleteOperation(aiModelConfigs, {
  id: 'deleteModelConfig',
  summary: 'Delete a model config that no variation of an AI config uses, with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs/{modelConfigKey}',
  access: { action: 'deleteAIModelConfig', resource: 'proj/{projectKey}:ai-model-config/{modelConfigKey}' },
  contents: true,
  query: v.object(detachQuery),
})
