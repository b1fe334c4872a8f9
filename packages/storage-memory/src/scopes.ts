import { isUnder } from '@halyard/core/storage'

/** Maximum number of scopes that are kept in a list. Examining so few scopes is faster than maintaining a tree. */
const maxExamined = 32

/**
 * Values by scope. The values under a scope are found without examining all values, because every change of an account
 * clears or lists the values under some scopes.
 */
export class Scopes<Leaf> {
  readonly #leaves: Map<string, Leaf>
  /**
   * The scopes immediately under each scope, including scopes without a value. Undefined while there are few scopes,
   * and in a copy until the copy is used.
   */
  #children: Map<string, Set<string>> | undefined

  constructor(leaves: Map<string, Leaf> = new Map()) {
    this.#leaves = leaves
  }

  get(scope: string): Leaf | undefined {
    return this.#leaves.get(scope)
  }

  set(scope: string, leaf: Leaf): void {
    this.#leaves.set(scope, leaf)
    // The tree is extended with each scope, because building it from many scopes in one step would block the process.
    if (this.#children) this.#addToTree(scope)
    else if (this.#leaves.size > maxExamined) this.#children = this.#tree()
  }

  delete(scope: string): void {
    this.#leaves.delete(scope)
    this.#removeFromTree(scope)
  }

  /** Returns all scopes that have a value. */
  entries(): [scope: string, leaf: Leaf][] {
    return [...this.#leaves]
  }

  /** Returns the scopes at and under a scope that have a value, in no particular order. */
  under(ancestor: string): [scope: string, leaf: Leaf][] {
    if (ancestor === '') return this.entries()
    if (this.#leaves.size <= maxExamined) return this.entries().filter(([scope]) => isUnder(scope, ancestor))
    this.#children ??= this.#tree()
    const entries: [string, Leaf][] = []
    const pending = [ancestor]
    for (let scope = pending.pop(); scope !== undefined; scope = pending.pop()) {
      const leaf = this.#leaves.get(scope)
      if (leaf !== undefined) entries.push([scope, leaf])
      for (const child of this.#children.get(scope) ?? []) pending.push(child)
    }
    return entries
  }

  /** Makes a copy that shares the values. */
  copy(): Scopes<Leaf> {
    return new Scopes(new Map(this.#leaves))
  }

  #tree(): Map<string, Set<string>> {
    this.#children = new Map()
    for (const scope of this.#leaves.keys()) this.#addToTree(scope)
    return this.#children
  }

  #addToTree(scope: string): void {
    if (!this.#children) return
    for (let child = scope; child !== ''; child = parentOf(child)) {
      const siblings = this.#children.get(parentOf(child))
      if (siblings?.has(child)) return
      if (siblings) siblings.add(child)
      else this.#children.set(parentOf(child), new Set([child]))
    }
  }

  /**
   * Removes a scope without a value from the tree, and then each ancestor that has neither a value nor other scopes
   * under it.
   */
  #removeFromTree(scope: string): void {
    const children = this.#children
    if (!children) return
    for (let child = scope; child !== ''; child = parentOf(child)) {
      if (this.#leaves.has(child) || children.has(child)) return
      const siblings = children.get(parentOf(child))
      siblings?.delete(child)
      if (siblings?.size === 0) children.delete(parentOf(child))
    }
  }
}

function parentOf(scope: string): string {
  return scope.slice(0, Math.max(0, scope.lastIndexOf(':')))
}
