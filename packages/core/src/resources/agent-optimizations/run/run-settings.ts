import type { ModelMessage } from './model-call.ts'

/** A condition on the responses of the agent: an acceptance statement, or a judge. */
export interface Criterion {
  /** Name in results and in messages, e.g. `acceptance statement 1`. */
  readonly name: string
  /** Score that a response must reach, 0 to 1. */
  readonly threshold: number
  /** True when a response must not exceed the threshold, because lower scores are better. */
  readonly isInverted: boolean
  /** Messages that say what the judge evaluates. */
  readonly messages: readonly ModelMessage[]
}

/** Instructions and model to try. */
export interface Candidate {
  readonly instructions: string
  readonly model: string
}

/** The variation that a run starts from, as `getAIConfig` returns it. */
export interface StartVariation {
  readonly key: string
  readonly name: string
  readonly instructions: string
  readonly model: Readonly<Record<string, unknown>>
  readonly modelConfigKey?: string | undefined
  readonly tools: readonly {
    readonly key: string
    readonly version: number
    readonly customParameters: Readonly<Record<string, unknown>>
  }[]
  readonly judges: readonly { readonly judgeConfigKey: string; readonly samplingRate: number }[]
}

/** Settings of a run, which do not change until it ends. */
export interface RunSettings {
  readonly projectKey: string
  readonly optimizationKey: string
  readonly aiConfigKey: string
  /** Version of the optimization. */
  readonly version: number
  readonly runId: string
  readonly maxAttempts: number
  readonly judgeModel: string
  readonly modelChoices: readonly string[]
  readonly variableChoices: readonly Readonly<Record<string, unknown>>[]
  /** Inputs of the agent, at least one, each with the expected response, if there is one. */
  readonly inputs: readonly { readonly text: string; readonly expected?: string | undefined }[]
  readonly criteria: readonly Criterion[]
  readonly start: StartVariation
  readonly firstCandidate: Candidate
  readonly modelParameters: Readonly<Record<string, unknown>>
  /** Further aims of the optimization, as sentences for the model that varies instructions. */
  readonly aims: readonly string[]
  readonly tokenLimit?: number | undefined
  /** True when a run that passes creates a variation. */
  readonly autoCommit: boolean
}
