/** Identifies a set of keys. */
export interface SetId {
  /** Name of the set, e.g. `included`. */
  readonly name: string
  /** Address of the resource that has the set. */
  readonly scope: string
}
