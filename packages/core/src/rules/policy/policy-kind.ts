/** A kind of resource that policies can name, and its actions. */
export interface PolicyKind {
  /**
   * The kinds in its address from the top down: `proj:env:flag` is a flag in an environment of a project
   * (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers,
   * docs/decisions/0002-decide-access-by-policy.md#d15-policies).
   */
  readonly shape: string
  /** Name of the kind in messages. Default: its kind with spaces, e.g. `release pipeline`. */
  readonly noun?: string
  /**
   * Actions on resources of the kind (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
   *
   * Resources inside a project have no `view…` action of their own: a caller with `viewProject` may read them, except
   * where reading has its own action (`viewSdkKey`, `viewView`).
   */
  readonly actions: readonly string[]
  /**
   * True for a kind that a writer may view but not change, because its resources decide who may do what
   * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens). Default false.
   */
  readonly accountLevel?: boolean
  /**
   * Actions that a reader does not have although they only view, because the value of a secret is enough to use it
   * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens).
   */
  readonly secretActions?: readonly string[]
  /**
   * Actions that a writer does not have, because they allow changes that other people have to approve
   * (docs/decisions/0002-decide-access-by-policy.md#d33-approval-bypass). Default: no actions.
   */
  readonly adminActions?: readonly string[]
}
