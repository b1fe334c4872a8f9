import type { Rule } from './rule.ts'
import type { Serve } from './serve.ts'

/** Rules that choose one of several variations for a context in an environment. Flags and AI configs use this type. */
export interface Targeting {
  readonly on: boolean
  /** Keys of users by variation. */
  readonly targets: readonly Target[]
  /** Keys of contexts of other kinds. */
  readonly contextTargets: readonly Target[]
  /** Evaluated after the targets; the first rule that matches decides. */
  readonly rules: readonly TargetingRule[]
  readonly fallthrough: Serve
  /** If omitted, SDKs return the default value of the caller. */
  readonly offVariation?: number
  readonly trackEvents: boolean
  readonly trackEventsFallthrough: boolean
}

export interface Target {
  readonly values: readonly string[]
  /** Index of the variation that these contexts get. */
  readonly variation: number
  readonly contextKind: string
}

export interface TargetingRule extends Rule, Serve {
  readonly trackEvents: boolean
}
