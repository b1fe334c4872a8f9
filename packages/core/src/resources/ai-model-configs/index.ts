import {
  aiModelConfigs as aiModelConfigDocuments,
  aiModelConfigRevisions,
} from '../../models/ai-model-configs/ai-model-config.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const aiModelConfigs = resource({
  title: 'Model configs',
  description: 'Models with their parameters, for AI configs.',
  kinds: [
    { shape: 'proj:ai-model-config', actions: ['createAIModelConfig', 'updateAIModelConfig', 'deleteAIModelConfig'] },
  ],
  collections: [aiModelConfigRevisions, aiModelConfigDocuments],
  operations: Object.values(operations),
  parameters: {
    restricted: 'Only restricted models, or only models that are not restricted.',
    modelConfigKey: 'Key of the model config.',
  },
})
