/** Which set of members is meant. */
export interface SetId {
  /** Name of the set, e.g. `included`. */
  readonly name: string
  /** Address of what owns it. */
  readonly scope: string
}
