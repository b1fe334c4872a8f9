import { createAIConfig } from './create-ai-config.ts'
import { deleteAIConfig } from './delete-ai-config.ts'
import { getAIConfig } from './get-ai-config.ts'
import { listAIConfigs } from './list-ai-configs.ts'
import { patchAIConfig } from './patch-ai-config.ts'
import { getAIConfigTargeting } from './targeting/get-ai-config-targeting.ts'
import { patchAIConfigTargeting } from './targeting/patch-ai-config-targeting.ts'
import { createAIConfigVariation } from './variations/create-ai-config-variation.ts'
import { deleteAIConfigVariation } from './variations/delete-ai-config-variation.ts'
import { getAIConfigVariation } from './variations/get-ai-config-variation.ts'
import { patchAIConfigVariation } from './variations/patch-ai-config-variation.ts'

export const aiConfigOperations = [
  listAIConfigs,
  createAIConfig,
  getAIConfig,
  patchAIConfig,
  deleteAIConfig,
  createAIConfigVariation,
  getAIConfigVariation,
  patchAIConfigVariation,
  deleteAIConfigVariation,
  getAIConfigTargeting,
  patchAIConfigTargeting,
] as const
