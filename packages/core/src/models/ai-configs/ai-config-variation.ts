import { snippetsOf } from '../../rules/ai-configs/snippet-references.ts'
import { shortName } from '../../rules/sentences/sentence.ts'
import { documents } from '../../storage/collection.ts'
import { type RevisedDocument, revisionsOf } from '../../storage/revisions.ts'
import { type AIConfigKeys, aiConfigs } from './ai-config.ts'

/** One alternative of a config: the model to use, and its prompts. Each change creates a revision. */
export interface AIConfigVariation extends RevisedDocument {
  readonly id: string
  /** Key of the config that the variation belongs to. */
  readonly configKey: string
  readonly key: string
  readonly name: string
  readonly description?: string
  /** Only in configs of mode `agent`. */
  readonly instructions?: string
  readonly messages?: readonly Message[]
  readonly model: Readonly<Record<string, unknown>>
  readonly modelConfigKey?: string
  readonly tools: readonly ToolUse[]
  /** Omitted when there are none, as in variations that were stored before skills existed. */
  readonly skills?: readonly SkillUse[]
  readonly judges: readonly Judge[]
  readonly color?: string
  /** Comment of the caller on this revision. */
  readonly comment?: string
  readonly state: VariationState
  /** Integer ms. */
  readonly publishedAt?: number
  /** Integer ms. */
  readonly archivedAt?: number
}

export interface Message {
  readonly role: string
  readonly content: string
}

/** A tool in one of its revisions. */
export interface ToolUse {
  readonly key: string
  readonly version: number
  readonly customParameters: Readonly<Record<string, unknown>>
}

/** An agent skill in one of its revisions. */
export interface SkillUse {
  readonly key: string
  readonly version: number
}

/** A config of mode `judge` that evaluates a fraction of the completions. */
export interface Judge {
  readonly judgeConfigKey: string
  /** The fraction, 0 to 1. */
  readonly samplingRate: number
}

export const variationStates = ['archived', 'published'] as const

export type VariationState = (typeof variationStates)[number]

export const aiConfigVariations = documents<AIConfigVariation>()({
  name: 'ai-config-variation',
  address: 'proj/{projectKey}:aiconfig/{configKey}:variation/{variationKey}',
  // Policies treat a variation as a part of its config.
  resource: (_, keys) => aiConfigs.address.resource(keys),
  fields: ({ tools, skills = [], judges, modelConfigKey, messages, instructions }) => ({
    tools: tools.map(({ key }) => key),
    skills: skills.map(({ key }) => key),
    snippets: [...new Set(snippetsOf({ messages, instructions }).map(({ key }) => key))],
    judges: judges.map(({ judgeConfigKey }) => judgeConfigKey),
    modelConfigKey: modelConfigKey ?? null,
  }),
  shown: {
    id: '_id',
    configKey: null,
    judges: (judges) => ({
      judgeConfiguration: { judges },
      judgingConfigKeys: judges.map(({ judgeConfigKey }) => judgeConfigKey),
    }),
    revision: null,
    comment: 'comment',
    publishedAt: (ms) => ({ _publishedAt: ms }),
    archivedAt: (ms) => ({ _archivedAt: ms }),
  },
  partOf: aiConfigs,
  sentences: {
    name: ({ name }, whole) => `${name} of ${whole}`,
    changed: {
      name: ({ name }, after, { it }) =>
        `renamed ${shortName(name)} to ${shortName(after.name)} in the variation ${it}`,
      modelConfigKey: 'model config',
    },
  },
  changes: {
    id: null,
    configKey: null,
    key: null,
    name: 'updateAIConfigVariation',
    description: 'updateAIConfigVariation',
    instructions: 'updateAIConfigVariation',
    messages: 'updateAIConfigVariation',
    model: 'updateAIConfigVariation',
    modelConfigKey: 'updateAIConfigVariation',
    tools: 'updateAIConfigVariation',
    skills: 'updateAIConfigVariation',
    judges: 'updateAIConfigVariation',
    color: 'updateAIConfigVariation',
    comment: null,
    state: 'updateAIConfigVariation',
    publishedAt: null,
    archivedAt: null,
    revision: null,
    createdAt: null,
  },
})

export const aiConfigVariationRevisions = revisionsOf(aiConfigVariations)

/** The keys that identify a variation. */
export type VariationKeys = AIConfigKeys & Readonly<Record<'variationKey', string>>
