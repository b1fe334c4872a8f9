import type { DocumentId } from '../port.ts'

/**
 * Returns one text for each document. No two documents share one, because the lengths at the start separate the parts.
 */
export function documentAddress({ collection, scope, key }: DocumentId): string {
  return `${collection.length}:${scope.length}:${collection}${scope}${key}`
}
