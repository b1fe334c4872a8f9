import { switchSentence } from '../../rules/sentences/sentence.ts'
import { documents } from '../../storage/collection.ts'
import type { Lockable } from '../../storage/lock-document.ts'
import { type RevisedDocument, revisionsOf } from '../../storage/revisions.ts'

/** A model, with its parameters, that variations of AI configs can use. */
export interface AIModelConfig extends RevisedDocument, Lockable {
  readonly key: string
  readonly name: string
  /** Name of the model at the provider. */
  readonly id: string
  readonly provider?: string
  readonly icon?: string
  /** Parameters for the provider. */
  readonly params: Readonly<Record<string, unknown>>
  /** Parameters for the application. */
  readonly customParams: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
  /** In US dollars. */
  readonly costPerInputToken?: number
  /** In US dollars. */
  readonly costPerOutputToken?: number
  /** True when no further variations can start to use this model config. */
  readonly restricted: boolean
}

export const aiModelConfigs = documents<AIModelConfig>()({
  name: 'ai-model-config',
  noun: 'AI model config',
  address: 'proj/{projectKey}:ai-model-config/{modelConfigKey}',
  fields: ({ restricted }) => ({ restricted }),
  shown: { restricted: 'isRestricted', revision: null, holds: null },
  sentences: {
    changed: {
      id: 'model id',
      restricted: switchSentence(
        'restricted',
        ({ it }) => `restricted ${it}`,
        ({ it }) => `ended the restriction of ${it}`,
      ),
    },
  },
  changes: {
    key: null,
    name: 'updateAIModelConfig',
    id: 'updateAIModelConfig',
    provider: 'updateAIModelConfig',
    icon: 'updateAIModelConfig',
    params: 'updateAIModelConfig',
    customParams: 'updateAIModelConfig',
    tags: 'updateAIModelConfig',
    costPerInputToken: 'updateAIModelConfig',
    costPerOutputToken: 'updateAIModelConfig',
    restricted: 'updateAIModelConfig',
    revision: null,
    holds: null,
    createdAt: null,
  },
})

export const aiModelConfigRevisions = revisionsOf(aiModelConfigs)

export type AIModelConfigKeys = Readonly<Record<'projectKey' | 'modelConfigKey', string>>
