import { switchSentence } from '../../rules/sentences/sentence.ts'
import { documents } from '../../storage/collection.ts'
import type { Lockable } from '../../storage/lock-document.ts'
import type { DefaultVariations } from '../flags/flag.ts'
import type { MaintainerReference } from '../maintainers/maintainer.ts'
import { maintainerSentences, shownMaintainer } from '../maintainers/maintainer.ts'
import type { ClientSideAvailability } from '../projects/project.ts'

/**
 * The way an application uses a model: the part that all environments share
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d29-ai-configs).
 *
 * `holds` also increases with each change of a variation or a targeting, so the version of the config changes whenever
 * one of its responses changes. Therefore a variation cannot be deleted while a concurrent call starts to serve it.
 */
export interface AIConfig extends Lockable, MaintainerReference {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly mode: AIConfigMode
  readonly tags: readonly string[]
  /** The first of `evaluationMetricKeys`, unless the caller chose another. */
  readonly evaluationMetricKey?: string
  readonly evaluationMetricKeys: readonly string[]
  /** True when lower values of the metric are better. */
  readonly isInverted: boolean
  /**
   * The variations in order, because targeting refers to a variation by its index. Their contents are stored in
   * separate documents.
   */
  readonly variations: readonly VariationRef[]
  readonly defaults: DefaultVariations
  /** The client-side SDKs that may see the prompts. Omitted when no SDK may see them. */
  readonly clientSideAvailability?: ClientSideAvailability
  /** Resources that use the config. The operations that write those resources update it. */
  readonly dependencies: readonly Dependency[]
  /** Integer ms. */
  readonly createdAt: number
  /** Integer ms. */
  readonly updatedAt: number
}

/** Purpose of a config: to complete prompts, to instruct an agent, or to judge the completions of other configs. */
export const aiConfigModes = ['agent', 'completion', 'judge'] as const

export type AIConfigMode = (typeof aiConfigModes)[number]

export interface VariationRef {
  readonly _id: string
  readonly key: string
}

/** A resource that uses a config. */
export interface Dependency {
  readonly type: 'agent-graph'
  readonly key: string
}

/** Maximum number of variations of a config. */
export const maxVariations = 100

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
  shown: { ...shownMaintainer, variations: null, dependencies: 'dependencies', holds: null },
  sentences: {
    changed: {
      ...maintainerSentences,
      evaluationMetricKey: 'main evaluation metric',
      evaluationMetricKeys: 'evaluation metrics',
      isInverted: switchSentence(
        'isInverted',
        ({ it }) => `inverted the evaluation metric of ${it}`,
        ({ it }) => `ended the inversion of the evaluation metric of ${it}`,
      ),
      defaults: 'default variations',
    },
  },
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
    clientSideAvailability: 'updateAIConfig',
    dependencies: null,
    holds: null,
    createdAt: null,
    updatedAt: null,
  },
})

/** The keys that identify a config. */
export type AIConfigKeys = Readonly<Record<'projectKey' | 'configKey', string>>
