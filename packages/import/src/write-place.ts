import type { Api } from '@halyard/core'

/** The project that an import writes to. */
export interface WritePlace {
  readonly api: Api
  readonly projectKey: string
}
