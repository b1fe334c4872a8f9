/** The outcome of a rule: one variation, by its index, or a rollout; never both. */
export interface Serve {
  readonly variation?: number
  readonly rollout?: Rollout
}

/** Distributes contexts over variations by weight: pseudo-random, but always the same for one context. */
export interface Rollout {
  /** Weights in thousandths of a percent; their sum is {@link wholeWeight}. */
  readonly variations: readonly { readonly variation: number; readonly weight: number }[]
  readonly contextKind: string
  /** Attribute that is hashed to choose a variation; the key if omitted. */
  readonly bucketBy?: string
}

/** 100 percent, in thousandths of a percent. */
export const wholeWeight = 100_000
