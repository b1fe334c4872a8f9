import * as v from 'valibot'
import { aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { booleanParameter, page } from '../../operation/schema.ts'
import { aiModelConfigResponse, serializeAIModelConfig } from './ai-model-config-schema.ts'

export const listModelConfigs = listOperation(aiModelConfigs, {
  id: 'listModelConfigs',
  summary: 'List the model configs of a project; `restricted` selects those that are or are not restricted',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  query: v.object({ ...page(), restricted: v.optional(booleanParameter()) }),
  select: ({ restricted }) => ({
    where: restricted === undefined ? [] : [{ op: 'equals', field: 'restricted', value: restricted }],
  }),
  response: aiModelConfigResponse,
  serialize: serializeAIModelConfig,
})
