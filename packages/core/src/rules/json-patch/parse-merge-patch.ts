import type { Operation } from './operation.ts'
import { formatPointer } from './pointer.ts'

/**
 * Reads a JSON Merge Patch (RFC 7396) of a document whose members are scalars, all of them present: a member of the
 * patch takes the place of the document's, `null` takes it away.
 *
 * @param body an object; its values are not looked at.
 * @returns the operations of a JSON Patch that does the same.
 */
export function parseMergePatch(body: Readonly<Record<string, unknown>>): readonly Operation[] {
  return Object.entries(body).map(([member, value]) => {
    const path = { text: formatPointer([member]), tokens: [member] }
    return value === null ? { op: 'remove', path } : { op: 'add', path, value }
  })
}
