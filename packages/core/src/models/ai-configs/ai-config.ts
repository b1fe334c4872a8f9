import { documents } from '../../storage/collection.ts'
import type { Lockable } from '../../storage/lock-document.ts'
import type { DefaultVariations } from '../flags/flag.ts'
import type { Maintained } from '../maintainers/maintainer.ts'

/**
 * How an application uses a model: the part that all environments share (D29).
 *
 * `holds` grows also with each change of a variation and of a targeting. So the version of the config moves with
 * everything that it shows, and a variation cannot go while somebody starts to serve it.
 */
export interface AIConfig extends Lockable, Maintained {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly mode: AIConfigMode
  readonly tags: readonly string[]
  /** The first of `evaluationMetricKeys`, unless the caller chose another. */
  readonly evaluationMetricKey?: string
  readonly evaluationMetricKeys: readonly string[]
  /** Whether lower values of the metric are the better ones. */
  readonly isInverted: boolean
  /** In order: targeting names a variation by its index. What they say stands in documents of their own. */
  readonly variations: readonly VariationPlace[]
  readonly defaults: DefaultVariations
  /** What uses the config; kept by whoever writes that. */
  readonly dependencies: readonly Dependency[]
  /** Integer ms. */
  readonly createdAt: number
  /** Integer ms. */
  readonly updatedAt: number
}

/** What a config is for: to complete prompts, to instruct an agent, or to judge what others answer. */
export const aiConfigModes = ['agent', 'completion', 'judge'] as const

export type AIConfigMode = (typeof aiConfigModes)[number]

export interface VariationPlace {
  readonly _id: string
  readonly key: string
}

/** A thing that uses a config. */
export interface Dependency {
  readonly type: 'agent-graph'
  readonly key: string
}

/** Most variations of one config. */
export const mostVariations = 100

export const aiConfigs = documents<AIConfig>()({
  name: 'ai-config',
  noun: 'AI config',
  address: 'proj/{projectKey}:aiconfig/{configKey}',
  fields: ({ name, tags, mode, maintainerId, maintainerTeamKey, createdAt, updatedAt }) => ({
    name,
    tags,
    mode,
    maintainerId: maintainerId ?? null,
    maintainerTeamKey: maintainerTeamKey ?? null,
    createdAt,
    updatedAt,
  }),
  attributes: ({ tags }) => ({ tags }),
  changes: {
    key: null,
    name: 'updateAIConfig',
    description: 'updateAIConfig',
    mode: null,
    tags: 'updateAIConfig',
    maintainerId: 'updateAIConfig',
    maintainerTeamKey: 'updateAIConfig',
    evaluationMetricKey: 'updateAIConfig',
    evaluationMetricKeys: 'updateAIConfig',
    isInverted: 'updateAIConfig',
    variations: null,
    defaults: 'updateAIConfigTargeting',
    dependencies: null,
    holds: null,
    createdAt: null,
    updatedAt: null,
  },
})

/** The keys that lead to a config. */
export type AIConfigKeys = Readonly<Record<'projectKey' | 'configKey', string>>
