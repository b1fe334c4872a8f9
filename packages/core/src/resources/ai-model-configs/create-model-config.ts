import * as v from 'valibot'
import { aiModelConfigRevisions, aiModelConfigs } from '../../models/ai-model-configs/ai-model-config.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { key } from '../../operation/schema.ts'
import { firstRevision } from '../../storage/revisions.ts'
import { aiModelConfigPatch, aiModelConfigResponse, serializeAIModelConfig } from './ai-model-config-schema.ts'

const { entries } = aiModelConfigPatch

/**
 * `restricted` is the last segment of another path of this API, so a model config with that key could not be addressed.
 */
const modelConfigKey = v.pipe(
  key(),
  v.check((value) => value !== 'restricted', 'must not be the reserved key restricted'),
)

export const createModelConfig = createOperation(aiModelConfigs, {
  id: 'createModelConfig',
  summary: 'Create a model config that all variations of the project can use',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs',
  access: { action: 'createAIModelConfig', resource: 'proj/{projectKey}:ai-model-config/{body.key}' },
  within: projects,
  body: v.strictObject({ ...entries, key: modelConfigKey, name: entries.name.wrapped, id: entries.id.wrapped }),
  make(context, { params = {}, customParams = {}, tags = [], ...settings }, { projectKey }) {
    const { tx } = context
    const now = context.readClock()
    const config = { ...settings, params, customParams, tags, restricted: false, holds: 0 }
    return firstRevision(
      tx,
      { revisions: aiModelConfigRevisions, keys: { projectKey, modelConfigKey: settings.key } },
      config,
      now,
    )
  },
  response: aiModelConfigResponse,
  serialize: serializeAIModelConfig,
})
