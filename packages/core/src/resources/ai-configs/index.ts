import { aiConfigs as aiConfigDocuments } from '../../models/ai-configs/ai-config.ts'
import { aiConfigTargetings } from '../../models/ai-configs/ai-config-targeting.ts'
import { aiConfigVariationRevisions, aiConfigVariations } from '../../models/ai-configs/ai-config-variation.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

const actions = [
  'createAIConfig',
  'updateAIConfig',
  'deleteAIConfig',
  'updateAIConfigVariation',
  'deleteAIConfigVariation',
  'updateAIConfigTargeting',
  'createApprovalRequest',
  'updateApprovalRequest',
  'reviewApprovalRequest',
  'applyApprovalRequest',
  'deleteApprovalRequest',
  'bypassRequiredApproval',
]

const adminActions = ['bypassRequiredApproval']

export const aiConfigs = resource({
  title: 'AI configs',
  description: 'Prompts and models in variations, targeted like flags.',
  kinds: [
    { shape: 'proj:aiconfig', adminActions, actions },
    { shape: 'proj:env:aiconfig', adminActions, actions },
  ],
  collections: [aiConfigDocuments, aiConfigTargetings, aiConfigVariationRevisions, aiConfigVariations],
  operations: Object.values(operations),
  parameters: {
    configKey: 'Key of the AI config.',
    variationKey: 'Key of the variation.',
  },
})
