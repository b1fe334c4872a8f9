/** The environments of a project that conditions on flags concern. */
export interface FilteredEnvironments {
  readonly projectKey: string
  /** Empty for any environment. */
  readonly environmentKeys: readonly string[]
}
