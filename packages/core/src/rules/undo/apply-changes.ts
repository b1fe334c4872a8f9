import type { JsonChange } from '../json-delta.ts'
import { parseToken } from './path-tokens.ts'

type Container = Record<string, unknown> | unknown[]

/**
 * Applies the changes of a difference to a JSON value, in order.
 *
 * @param value the value; undefined for an absent document.
 * @returns the changed copy, which may be undefined for a removed document; `ok` is false when a change does not fit the
 *   value.
 */
export function applyChanges(
  value: unknown,
  changes: readonly JsonChange[],
): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  const state = { root: value === undefined ? undefined : copyOf(value) }
  for (const change of changes) if (!applyChange(state, change)) return { ok: false }
  return { ok: true, value: state.root }
}

function applyChange(state: { root: unknown }, change: JsonChange): boolean {
  if (change.path === '') {
    state.root = change.op === 'remove' ? undefined : copyOf(change.value)
    return true
  }

  const tokens = change.path.slice(1).split('/').map(parseToken)
  const last = tokens.pop() as string
  let node: unknown = state.root
  for (const token of tokens) {
    if (!isContainer(node) || !Object.hasOwn(node, token)) return false
    node = (node as Record<string, unknown>)[token]
  }
  return isContainer(node) && applyTo(node, last, change)
}

function applyTo(container: Container, token: string, change: JsonChange): boolean {
  const exists = Object.hasOwn(container, token)
  if (change.op !== 'add' && !exists) return false
  const value = change.op === 'remove' ? undefined : copyOf(change.value)
  if (Array.isArray(container)) {
    const index = Number(token)
    if (!Number.isInteger(index) || index < 0 || index > container.length) return false
    if (change.op === 'add') container.splice(index, 0, value)
    else if (change.op === 'remove') container.splice(index, 1)
    else container[index] = value
  } else if (change.op === 'remove') delete container[token]
  else container[token] = value
  return true
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

/**
 * Returns a copy in which no object occurs twice: documents in memory can share an object between two properties, and a
 * change of one must not change the other.
 */
function copyOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
