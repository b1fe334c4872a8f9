import type { Operation } from './operation.ts'
import { formatPointer } from './pointer.ts'

/**
 * Parses a JSON Merge Patch (RFC 7396) for a document whose properties are scalars, all of them present: a property of
 * the patch replaces the property of the document, `null` removes it.
 *
 * @param body an object; its values are not validated.
 * @returns the operations of an equivalent JSON Patch.
 */
export function parseMergePatch(body: Readonly<Record<string, unknown>>): readonly Operation[] {
  return Object.entries(body).map(([property, value]) => {
    const path = { text: formatPointer([property]), tokens: [property] }
    return value === null ? { op: 'remove', path } : { op: 'add', path, value }
  })
}
