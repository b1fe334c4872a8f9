import { CacheSpace } from '../storage/cache-space.ts'
import type { CacheInput } from './engine-options.ts'

/** Maximum number of callers that the engines of a shared cache keep together. */
const maxCallers = 10_000

/** The caches of several engines, with a common limit: see `createCache`. */
export class SharedCache {
  readonly responses: CacheSpace
  readonly documents: CacheSpace
  readonly callers = new CacheSpace(maxCallers, true)

  constructor({ responses, documents }: Required<CacheInput>) {
    this.responses = new CacheSpace(responses, true)
    this.documents = new CacheSpace(documents, true)
  }
}
