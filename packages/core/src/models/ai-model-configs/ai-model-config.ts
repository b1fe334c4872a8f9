import { documents } from '../../storage/collection.ts'
import type { Lockable } from '../../storage/lock-document.ts'
import { type Revised, revisionsOf } from '../../storage/revisions.ts'

/** A model that variations of AI configs can use: which one, and with which parameters. */
export interface AIModelConfig extends Revised, Lockable {
  readonly key: string
  readonly name: string
  /** What the provider calls the model. */
  readonly id: string
  readonly provider?: string
  readonly icon?: string
  /** What the provider is told. */
  readonly params: Readonly<Record<string, unknown>>
  /** For the application alone. */
  readonly customParams: Readonly<Record<string, unknown>>
  readonly tags: readonly string[]
  /** US dollars. */
  readonly costPerInputToken?: number
  /** US dollars. */
  readonly costPerOutputToken?: number
  /** Variations cannot begin to use it. */
  readonly restricted: boolean
}

export const aiModelConfigs = documents<AIModelConfig>()({
  name: 'ai-model-config',
  noun: 'AI model config',
  address: 'proj/{projectKey}:ai-model-config/{modelConfigKey}',
  fields: ({ restricted }) => ({ restricted }),
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
