/** A request for a part of a quota that all processes share. */
export interface QuotaLeaseQuery {
  /** 1 to 512 characters, e.g. a caller and an operation. */
  readonly key: string
  /** Start of the window, integer ms, UTC. Each window has its own quota. */
  readonly window: number
  /** End of the window: integer ms, UTC. After it, the storage may delete its record of the window. */
  readonly until: number
  readonly limit: number
  readonly requested: number
}

/** The part of a quota that a process may use. */
export interface GrantedLease {
  /** The amount that the lease contains, 0 to `requested`. */
  readonly granted: number
  /** The part of the quota that no process has leased yet. */
  readonly remaining: number
}
