import { resource } from '../../operation/resource.ts'
import { aiConfigs as aiConfigDocuments } from './ai-config.ts'
import { aiConfigTargetings } from './ai-config-targeting.ts'
import { aiConfigVariationRevisions, aiConfigVariations } from './ai-config-variation.ts'
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

const actions = [
  'createAIConfig',
  'updateAIConfig',
  'deleteAIConfig',
  'updateAIConfigVariation',
  'deleteAIConfigVariation',
  'updateAIConfigTargeting',
  'bypassRequiredApproval',
]

export const aiConfigs = resource({
  title: 'AI configs',
  description: 'Prompts and models in variations, targeted like flags.',
  kinds: [
    { shape: 'proj:aiconfig', actions },
    { shape: 'proj:env:aiconfig', actions },
  ],
  collections: [aiConfigDocuments, aiConfigTargetings, aiConfigVariationRevisions, aiConfigVariations],
  operations: [
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
  ],
  parameters: {
    configKey: 'Key of the AI config.',
    variationKey: 'Key of the variation.',
  },
})
