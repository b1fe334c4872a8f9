/** A kind of resource that policies speak of, and its actions. */
export interface PolicyKind {
  /** The kinds in its address from the top down: `proj:env:flag` is a flag in an environment of a project (D14, D15). */
  readonly shape: string
  /** What people call it. Default: its kind with spaces, e.g. `release pipeline`. */
  readonly noun?: string
  /**
   * What can be done to it (D17).
   *
   * Resources inside a project have no `view…` action of their own: whoever may `viewProject` may read them, except where
   * reading is authorized by itself (`viewSdkKey`, `viewView`).
   */
  readonly actions: readonly string[]
  /** A writer may view it and not change it, because it decides who may do what (D16). Default false. */
  readonly accountLevel?: boolean
  /** Actions that a reader does not have although they only view: whoever sees a secret can use it (D16). */
  readonly secretActions?: readonly string[]
}
