import { arrayIndex, type Container, isContainer, valueAt } from './pointer.ts'

/**
 * A document while it is being changed. A container is copied before its first change, so that the original and all
 * values from outside stay unchanged, and everything outside the changed paths is shared with the original.
 */
export interface Draft {
  root: unknown
  /**
   * Copies made so far, the only containers that may be modified. Each container above an owned one is owned as well:
   * so a container that is not owned contains no owned one. Undefined if tracking would not pay off, as for a single
   * operation: then each change makes a new copy.
   */
  readonly owned: Set<Container> | undefined
}

/** Returns the value at a path, or undefined if the path does not exist. */
export function read(draft: Draft, tokens: readonly string[]): unknown {
  let node = draft.root
  for (let i = 0; i < tokens.length; i++) {
    if (!isContainer(node)) return undefined
    node = valueAt(node, tokens[i]!)
  }
  return node
}

/** Inserts into an array, or sets a property. Returns false if the parent does not exist or the index is invalid. */
export function add(draft: Draft, tokens: readonly string[], value: unknown): boolean {
  if (tokens.length === 0) return setRoot(draft, value)
  const container = writableParent(draft, tokens)
  const token = tokens[tokens.length - 1]!
  if (!container) return false
  if (!Array.isArray(container)) {
    container[token] = value
    return true
  }
  const index = token === '-' ? container.length : arrayIndex(token)
  if (index < 0 || index > container.length) return false
  if (index === container.length) container.push(value)
  else container.splice(index, 0, value)
  return true
}

/** Replaces a value. Returns false if the path does not exist. */
export function replace(draft: Draft, tokens: readonly string[], value: unknown): boolean {
  if (tokens.length === 0) return setRoot(draft, value)
  const container = writableParent(draft, tokens)
  const token = tokens[tokens.length - 1]!
  if (!container || valueAt(container, token) === undefined) return false
  setChild(container, token, value)
  return true
}

/** Removes a value other than the root from the document. Returns false if the path does not exist. */
export function remove(draft: Draft, tokens: readonly string[]): boolean {
  if (read(draft, tokens) === undefined) return false
  const token = tokens[tokens.length - 1]!
  const container = writableParent(draft, tokens, token)!
  if (Array.isArray(container)) container.splice(arrayIndex(token), 1)
  else delete container[token]
  return true
}

/** Must be called before a value gets a second path: otherwise a change at one path would also appear at the other. */
export function releaseOwnership(draft: Draft, value: unknown): void {
  if (isContainer(value) && draft.owned?.has(value)) draft.owned.clear()
}

function setRoot(draft: Draft, value: unknown): true {
  draft.root = value
  return true
}

/**
 * Returns the container of the last token, after making it and all containers above it writable.
 *
 * @param omitted property that the copy of the container may omit, if it has to be copied.
 */
function writableParent(draft: Draft, tokens: readonly string[], omitted?: string): Container | undefined {
  if (!isContainer(draft.root)) return undefined
  const last = tokens.length - 1
  let node = own(draft, draft.root, last === 0 ? omitted : undefined)
  draft.root = node
  for (let i = 0; i < last; i++) {
    const child = valueAt(node, tokens[i]!)
    if (!isContainer(child)) return undefined
    const copy = own(draft, child, i === last - 1 ? omitted : undefined)
    if (copy !== child) setChild(node, tokens[i]!, copy)
    node = copy
  }
  return node
}

/**
 * Sets an existing property or element: in an array the token is an index in its only spelling, which works as a
 * property name.
 */
function setChild(container: Container, token: string, value: unknown): void {
  const properties = container as Record<string, unknown>
  properties[token] = value
}

function own(draft: Draft, container: Container, omitted?: string): Container {
  if (draft.owned?.has(container)) return container
  const copy = copyOf(container, omitted)
  draft.owned?.add(copy)
  return copy
}

/**
 * Copies both kinds with spread: `slice` takes 25 times as long on a frozen array (V8), and `Object.assign` would set
 * the prototype from a property named `__proto__` instead of copying it. Omitting a property is cheaper than deleting
 * it afterwards, which turns the object into a slow one.
 */
function copyOf(container: Container, omitted: string | undefined): Container {
  if (Array.isArray(container)) return [...container]
  if (omitted === undefined) return { ...container }
  const { [omitted]: _, ...rest } = container
  return rest
}
