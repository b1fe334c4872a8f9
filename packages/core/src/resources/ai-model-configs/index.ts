import {
  aiModelConfigs as aiModelConfigDocuments,
  aiModelConfigRevisions,
} from '../../models/ai-model-configs/ai-model-config.ts'
import { resource } from '../../operation/resource.ts'
import { createModelConfig } from './create-model-config.ts'
import { createRestrictedModels } from './create-restricted-models.ts'
import { deleteModelConfig } from './delete-model-config.ts'
import { deleteRestrictedModels } from './delete-restricted-models.ts'
import { getModelConfig } from './get-model-config.ts'
import { listModelConfigVersions } from './list-model-config-versions.ts'
import { listModelConfigs } from './list-model-configs.ts'
import { patchModelConfig } from './patch-model-config.ts'

export const aiModelConfigs = resource({
  title: 'Model configs',
  description: 'Models with their parameters, for AI configs.',
  kinds: [
    { shape: 'proj:ai-model-config', actions: ['createAIModelConfig', 'updateAIModelConfig', 'deleteAIModelConfig'] },
  ],
  collections: [aiModelConfigRevisions, aiModelConfigDocuments],
  operations: [
    listModelConfigs,
    createModelConfig,
    createRestrictedModels,
    deleteRestrictedModels,
    getModelConfig,
    patchModelConfig,
    deleteModelConfig,
    listModelConfigVersions,
  ],
  parameters: {
    restricted: 'Only restricted models, or only models that are not restricted.',
    modelConfigKey: 'Key of the model config.',
  },
})
