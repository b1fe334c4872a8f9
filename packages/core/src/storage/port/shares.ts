/** How much somebody wants of a quantity that all processes share. */
export interface ShareQuery {
  /** 1 to 512 characters, e.g. a caller and an operation. */
  readonly key: string
  /** Another window has another quantity: when it began, integer ms, UTC. */
  readonly window: number
  /** When the window ends and what is known of it may go: integer ms, UTC. */
  readonly until: number
  readonly limit: number
  readonly wanted: number
}

/** How much somebody may take of it. */
export interface GrantedShare {
  /** 0 to `wanted`. */
  readonly granted: number
  /** How much nobody has taken yet. */
  readonly left: number
}
