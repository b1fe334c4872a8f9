import type { EvaluationReason } from '../evaluation/index.ts'

/** Purpose of an AI config: to complete prompts, to instruct an agent, or to judge the completions of other configs. */
export type AIConfigMode = 'agent' | 'completion' | 'judge'

/** A message of a prompt. */
export interface AIMessage {
  readonly role: string
  readonly content: string
}

/** The model to call. */
export interface AIModel {
  /** Name of the model at the provider. */
  readonly name: string
  /** Parameters for the provider. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Parameters for the application. */
  readonly custom?: Readonly<Record<string, unknown>>
}

/** A tool that the model can call. */
export interface AIToolDefinition {
  readonly name: string
  readonly type: 'function'
  readonly description: string
  /** JSON Schema of the parameters. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Parameters for the application. */
  readonly customParameters: Readonly<Record<string, unknown>>
}

/** Instructions for an agent for one kind of work. */
export interface AISkill {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly version: number
  /** The content of its SKILL.md. */
  readonly markdown: string
}

/** Judges that evaluate a fraction of the completions. */
export interface AIJudges {
  /** `key`: key of an AI config of mode `judge`; `samplingRate`: the fraction, 0 to 1. */
  readonly judges: readonly { readonly key: string; readonly samplingRate: number }[]
}

/** The properties that all forms of an AI config have: stored, as a fallback of the caller, and evaluated. */
export interface AIConfigContents {
  readonly model?: AIModel
  readonly provider?: { readonly name: string }
  /** Only in configs of mode `completion` and `judge`. */
  readonly messages?: readonly AIMessage[]
  /** Only in configs of mode `agent`. */
  readonly instructions?: string
  /** Tools by name. */
  readonly tools?: Readonly<Record<string, AIToolDefinition>>
  readonly skills?: readonly AISkill[]
  readonly judgeConfiguration?: AIJudges
  /** Key of the metric that receives the scores; only in configs of mode `judge`. */
  readonly evaluationMetricKey?: string
}

/**
 * A variation of an AI config as SDKs receive it: the value of an object flag. The properties have the names that the
 * AI SDKs for the reference API read.
 */
export interface AIConfigValue extends AIConfigContents {
  readonly _ldMeta: {
    readonly enabled: boolean
    readonly variationKey: string
    /** Number of the variation's revision. */
    readonly version: number
    readonly mode: AIConfigMode
  }
  /** Keys of the metrics, for SDKs that read the first key of this list. */
  readonly evaluationMetricKeys?: readonly string[]
}

/** An AI config that the caller uses when the environment has no AI config with the key. */
export interface AIConfigFallback extends AIConfigContents {
  /** Default `false`. */
  readonly enabled?: boolean
}

/** An AI config for a context, with its prompts interpolated. */
export interface EvaluatedAIConfig extends AIConfigContents {
  readonly key: string
  /** False when the config is off, the variation is archived, or the config has another mode. */
  readonly enabled: boolean
  /** Key of the variation. Omitted for the fallback. */
  readonly variationKey?: string
  /** Number of the variation's revision. Omitted for the fallback. */
  readonly version?: number
  readonly reason: EvaluationReason
}
