import { arrayIndex, type Container, isContainer, valueAt } from './pointer.ts'

/**
 * A document under change. Containers are copied when first written to, so that the original and all values that
 * came in from outside stay as they are, and what is not on a changed path is shared with the original.
 */
export interface Draft {
  root: unknown
  /**
   * The copies made so far, which alone may be written to. Each container above an owned one is owned as well: so
   * a value that is not owned has nothing owned in it. Undefined when there is nothing to gain from knowing them, as
   * for a single operation: then each write copies anew.
   */
  readonly owned: Set<Container> | undefined
}

/** The value at a place, or undefined when the place does not exist. */
export function read(draft: Draft, tokens: readonly string[]): unknown {
  let node = draft.root
  for (let i = 0; i < tokens.length; i++) {
    if (!isContainer(node)) return undefined
    node = valueAt(node, tokens[i]!)
  }
  return node
}

/** Inserts into an array, or sets a member. False when there is no such place. */
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

/** Puts a value in the place of another. False when there is none. */
export function replace(draft: Draft, tokens: readonly string[], value: unknown): boolean {
  if (tokens.length === 0) return setRoot(draft, value)
  const container = writableParent(draft, tokens)
  const token = tokens[tokens.length - 1]!
  if (!container || valueAt(container, token) === undefined) return false
  setMember(container, token, value)
  return true
}

/** Takes a value out of the document, which is not the document itself. False when there is none. */
export function remove(draft: Draft, tokens: readonly string[]): boolean {
  if (read(draft, tokens) === undefined) return false
  const token = tokens[tokens.length - 1]!
  const container = writableParent(draft, tokens, token)!
  if (Array.isArray(container)) container.splice(arrayIndex(token), 1)
  else delete container[token]
  return true
}

/** Must be called for a value before it gets a second place: written to in one, it would change in the other. */
export function share(draft: Draft, value: unknown): void {
  if (isContainer(value) && draft.owned?.has(value)) draft.owned.clear()
}

function setRoot(draft: Draft, value: unknown): true {
  draft.root = value
  return true
}

/**
 * The container that holds the last token, with all containers above it made writable.
 *
 * @param without a member that it may lack, if it has to be copied.
 */
function writableParent(draft: Draft, tokens: readonly string[], without?: string): Container | undefined {
  if (!isContainer(draft.root)) return undefined
  const last = tokens.length - 1
  let node = own(draft, draft.root, last === 0 ? without : undefined)
  draft.root = node
  for (let i = 0; i < last; i++) {
    const child = valueAt(node, tokens[i]!)
    if (!isContainer(child)) return undefined
    const copy = own(draft, child, i === last - 1 ? without : undefined)
    if (copy !== child) setMember(node, tokens[i]!, copy)
    node = copy
  }
  return node
}

/** For a token that was found: in an array it is an index in its one spelling, which an array takes as a name. */
function setMember(container: Container, token: string, value: unknown): void {
  const members = container as Record<string, unknown>
  members[token] = value
}

function own(draft: Draft, container: Container, without?: string): Container {
  if (draft.owned?.has(container)) return container
  const copy = copyOf(container, without)
  draft.owned?.add(copy)
  return copy
}

/**
 * Spread, for both kinds: `slice` takes 25 times as long on a frozen array (V8), and `Object.assign` would set the
 * prototype from a member named `__proto__` instead of copying it. Leaving a member out is cheaper than deleting
 * it afterwards, which turns the object into a slow one.
 */
function copyOf(container: Container, without: string | undefined): Container {
  if (Array.isArray(container)) return [...container]
  if (without === undefined) return { ...container }
  const { [without]: _, ...rest } = container
  return rest
}
