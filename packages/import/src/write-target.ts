import type { BoundApi } from '@halyard/core'

/** The project that an import writes to. */
export interface WriteTarget {
  readonly api: BoundApi
  readonly projectKey: string
}
