import type { Api } from '@halyard/core'

/** The project that an import writes to. */
export interface WriteTarget {
  readonly api: Api
  readonly projectKey: string
}
