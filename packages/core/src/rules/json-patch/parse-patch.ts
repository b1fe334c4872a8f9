import type { ValidationError } from '../json-guard.ts'
import type { Operation } from './operation.ts'
import { type Pointer, parsePointer } from './pointer.ts'

/** The operations of a JSON Patch, or its validation errors. */
export type ParsedPatch =
  | { readonly ok: true; readonly operations: readonly Operation[]; readonly comment: string | undefined }
  | { readonly ok: false; readonly errors: readonly ValidationError[] }

const maxOperations = 1_000
const maxErrors = 20

/**
 * Parses a JSON Patch (RFC 6902) from a parsed body: a bare array of operations, or `{comment?, patch}`
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
 *
 * It validates only the form: each operation is one of the six and has its properties, pointers are well-formed, no
 * value is moved into itself and the whole document is not removed. Unknown properties are ignored (RFC 6902, section
 * 4). `validateJson` has validated the values of the body before.
 *
 * @param body at most 1,000 operations.
 * @returns the operations, whose values are those of the body, not copies; or up to 20 errors, each with a JSON Pointer
 *   into the body.
 */
export function parsePatch(body: unknown): ParsedPatch {
  if (Array.isArray(body)) return parseOperations(body, '', undefined)
  if (!isObject(body) || !Array.isArray(body.patch)) {
    return rejected('', 'must be an array of operations, or an object whose patch is one')
  }
  const { comment, patch } = body
  if (comment !== undefined && typeof comment !== 'string') return rejected('/comment', 'must be a string')
  return parseOperations(patch, '/patch', comment)
}

function parseOperations(items: readonly unknown[], path: string, comment: string | undefined): ParsedPatch {
  if (items.length > maxOperations) return rejected(path, `must not have more than ${maxOperations} operations`)
  const operations: Operation[] = []
  const errors: ValidationError[] = []
  for (let i = 0; i < items.length && errors.length < maxErrors; i++) {
    const operation = parseOperation(items[i], (property, reason) => {
      errors.push({ attribute: `${path}/${i}${property}`, reason })
    })
    if (operation) operations.push(operation)
  }
  return errors.length === 0 ? { ok: true, operations, comment } : { ok: false, errors: errors.slice(0, maxErrors) }
}

/** Reports an error in one property of an operation; the property is a pointer relative to the operation. */
type Report = (property: '' | '/op' | '/path' | '/from' | '/value', reason: string) => void

function parseOperation(item: unknown, report: Report): Operation | undefined {
  if (!isObject(item)) return void report('', 'must be an object')
  const path = parsePointer(item.path)
  if (typeof path === 'string') report('/path', path)
  switch (item.op) {
    case 'add':
    case 'replace':
    case 'test':
      if (item.value === undefined) return void report('/value', 'must be present')
      return typeof path === 'string' ? undefined : { op: item.op, path, value: item.value }
    case 'remove':
      if (typeof path === 'string') return undefined
      return path.text === '' ? void report('/path', 'must not be the whole document') : { op: item.op, path }
    case 'move':
    case 'copy': {
      const from = parsePointer(item.from)
      if (typeof from === 'string') return void report('/from', from)
      if (typeof path === 'string') return undefined
      if (item.op === 'move' && isAncestor(from, path))
        return void report('/path', 'must not be inside the moved value')
      return { op: item.op, from, path }
    }
    default:
      return void report('/op', 'must be one of add, remove, replace, move, copy, test')
  }
}

/** Compares texts instead of tokens, because every pointer has only one spelling. */
function isAncestor(pointer: Pointer, descendant: Pointer): boolean {
  return descendant.text.startsWith(`${pointer.text}/`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function rejected(attribute: string, reason: string): ParsedPatch {
  return { ok: false, errors: [{ attribute, reason }] }
}
