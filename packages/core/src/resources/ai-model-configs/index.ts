import { createModelConfig } from './create-model-config.ts'
import { createRestrictedModels } from './create-restricted-models.ts'
import { deleteModelConfig } from './delete-model-config.ts'
import { deleteRestrictedModels } from './delete-restricted-models.ts'
import { getModelConfig } from './get-model-config.ts'
import { listModelConfigVersions } from './list-model-config-versions.ts'
import { listModelConfigs } from './list-model-configs.ts'
import { patchModelConfig } from './patch-model-config.ts'

export const aiModelConfigOperations = [
  listModelConfigs,
  createModelConfig,
  createRestrictedModels,
  deleteRestrictedModels,
  getModelConfig,
  patchModelConfig,
  deleteModelConfig,
  listModelConfigVersions,
] as const
