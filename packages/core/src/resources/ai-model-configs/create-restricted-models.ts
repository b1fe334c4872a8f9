import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { aiModelConfigResponse, serializeAIModelConfig } from './ai-model-config-schema.ts'
import { restrictedModelsRequest, setRestricted } from './set-restricted.ts'

export const createRestrictedModels = operation({
  id: 'createRestrictedModels',
  summary: 'Restrict model configs: variations that use them keep them, and other variations cannot start to use them',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/ai-configs/model-configs/restricted',
  body: jsonBody(restrictedModelsRequest),
  success: { status: 201, body: v.object({ items: list(aiModelConfigResponse) }) },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  // The response contains the model configs. The right to change each is checked after they are read.
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { projectKey }, body: { keys } }) {
    if (!(await context.tx.get(projects, { projectKey }))) context.fail('not_found')
    const configs = await setRestricted(context, projectKey, keys, true)
    const items = configs.map((config) =>
      serializeAIModelConfig(context, config, { projectKey, modelConfigKey: config.key }),
    )
    return { items: await Promise.all(items) }
  },
})
