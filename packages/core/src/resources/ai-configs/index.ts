import { aiConfigs as aiConfigDocuments } from '../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { aiConfigVariationRevisions, aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { resource } from '../../operation/resource.ts'
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
