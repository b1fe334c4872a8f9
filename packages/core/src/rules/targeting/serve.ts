/** The outcome of a rule: one variation, by its index, or a rollout; never both. */
export interface Serve {
  readonly variation?: number
  readonly rollout?: Rollout
}

/** Distributes contexts over variations by weight: pseudo-random, but always the same for one context. */
export interface Rollout {
  /** An experiment reports the contexts that it distributes, and hashes their keys. Default: a rollout. */
  readonly kind?: 'experiment'
  /**
   * Number that is hashed with the key of a context, in place of the key and the salt of the flag. Only in experiments.
   */
  readonly seed?: number
  /** The sum of their weights is {@link wholeWeight}. An experiment can contain a variation several times. */
  readonly variations: readonly RolloutShare[]
  readonly contextKind: string
  /** Attribute that is hashed to choose a variation; the key if omitted. */
  readonly bucketBy?: string
}

/** The contexts of a rollout that get one variation. */
export interface RolloutShare {
  /** Index of the variation. */
  readonly variation: number
  /** Thousandths of a percent. */
  readonly weight: number
  /** True when an experiment does not count these contexts. Only in experiments. Default false. */
  readonly untracked?: boolean
}

/** 100 percent, in thousandths of a percent. */
export const wholeWeight = 100_000
