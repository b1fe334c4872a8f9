/** A kind of resource that policies speak of, and its actions. */
export interface PolicyKind {
  /**
   * The kinds in its address from the top down: `proj:env:flag` is a flag in an environment of a project
   * (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers,
   * docs/decisions/0002-decide-access-by-policy.md#d15-policies).
   */
  readonly shape: string
  /** What people call it. Default: its kind with spaces, e.g. `release pipeline`. */
  readonly noun?: string
  /**
   * What can be done to it (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
   *
   * Resources inside a project have no `view…` action of their own: whoever may `viewProject` may read them, except
   * where reading is authorized by itself (`viewSdkKey`, `viewView`).
   */
  readonly actions: readonly string[]
  /**
   * A writer may view it and not change it, because it decides who may do what
   * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens). Default false.
   */
  readonly accountLevel?: boolean
  /**
   * Actions that a reader does not have although they only view: whoever sees a secret can use it
   * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens).
   */
  readonly secretActions?: readonly string[]
}
