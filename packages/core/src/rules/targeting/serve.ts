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
