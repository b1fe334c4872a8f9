import type { Api } from '@halyard/core'

/** Where an import writes. */
export interface WritePlace {
  readonly api: Api
  readonly projectKey: string
}
