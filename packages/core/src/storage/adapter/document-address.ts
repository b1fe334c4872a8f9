import type { DocumentId } from '../port.ts'

/**
 * Returns a text that identifies a document. It is different for each document, because the lengths at its start
 * separate the parts.
 */
export function documentAddress({ collection, scope, key }: DocumentId): string {
  return `${collection.length}:${scope.length}:${collection}${scope}${key}`
}
