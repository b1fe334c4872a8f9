import type { Rule } from './rule.ts'

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

/** What is served: one variation, by its index, or a rollout; never both. */
export interface Serve {
  readonly variation?: number
  readonly rollout?: Rollout
}

/** Shares of the contexts, by chance but for each context always the same. */
export interface Rollout {
  /** Weights in thousandths of a percent; together {@link wholeWeight}. */
  readonly variations: readonly { readonly variation: number; readonly weight: number }[]
  readonly contextKind: string
  /** The attribute that decides which share a context falls in; its key where left out. */
  readonly bucketBy?: string
}

/** 100 percent. */
export const wholeWeight = 100_000

export interface TargetingRule extends Rule, Serve {
  readonly trackEvents: boolean
}
