import { createAIConfig } from './create-ai-config.ts'
import { createAIConfigVariation } from './create-ai-config-variation.ts'
import { deleteAIConfig } from './delete-ai-config.ts'
import { deleteAIConfigVariation } from './delete-ai-config-variation.ts'
import { getAIConfig } from './get-ai-config.ts'
import { getAIConfigTargeting } from './get-ai-config-targeting.ts'
import { getAIConfigVariation } from './get-ai-config-variation.ts'
import { listAIConfigs } from './list-ai-configs.ts'
import { patchAIConfig } from './patch-ai-config.ts'
import { patchAIConfigTargeting } from './patch-ai-config-targeting.ts'
import { patchAIConfigVariation } from './patch-ai-config-variation.ts'

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
