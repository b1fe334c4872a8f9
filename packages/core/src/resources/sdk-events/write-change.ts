import { type Documents, type Versioned, withVersion } from '../../storage/collection.ts'
import type { Change } from '../../storage/port.ts'

/**
 * Makes the change that creates or replaces a document, for consumers of events, which write without a caller.
 *
 * @param before the stored document; undefined when it does not exist.
 */
export function writeChange<T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  keys: Parameters<Documents<T, A>['id']>[0],
  before: { readonly version: number } | undefined,
  content: Omit<T, 'version'>,
): Change {
  const body = withVersion(content, (before?.version ?? 0) + 1)
  const document = { id: collection.id(keys), body, fields: collection.fields(body) }
  return before ? { do: 'replace', version: before.version, ...document } : { do: 'insert', ...document }
}
