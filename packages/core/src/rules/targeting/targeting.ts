import type { Rule } from './rule.ts'
import type { Serve } from './serve.ts'

/** How one of several variations is chosen for a context in an environment: what flags and AI configs share. */
export interface Targeting {
  readonly on: boolean
  /** Keys of users, variation by variation. */
  readonly targets: readonly Target[]
  /** The same for contexts of other kinds. */
  readonly contextTargets: readonly Target[]
  /** The first that matches decides, after the targets. */
  readonly rules: readonly TargetingRule[]
  readonly fallthrough: Serve
  /** Where it is left out, SDKs fall back to the value given in code. */
  readonly offVariation?: number
  readonly trackEvents: boolean
  readonly trackEventsFallthrough: boolean
}

export interface Target {
  readonly values: readonly string[]
  /** Index of what they get. */
  readonly variation: number
  readonly contextKind: string
}

export interface TargetingRule extends Rule, Serve {
  readonly trackEvents: boolean
}
