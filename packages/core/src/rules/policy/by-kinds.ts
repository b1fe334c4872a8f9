import type { Resource } from '../address.ts'

/**
 * Values by the kinds of the levels of a resource. Looking up one kind after the other takes a third of the time of
 * joining the kinds into one text.
 */
export class ByKinds<V> {
  readonly #children = new Map<string, ByKinds<V>>()
  #value: V | undefined

  get(resource: Resource): V | undefined {
    let node: ByKinds<V> | undefined = this
    for (const { kind } of resource) {
      node = node.#children.get(kind)
      if (!node) return undefined
    }
    return node.#value
  }

  set(resource: Resource, value: V): void {
    let node: ByKinds<V> = this
    for (const { kind } of resource) {
      const child: ByKinds<V> = node.#children.get(kind) ?? new ByKinds()
      node.#children.set(kind, child)
      node = child
    }
    node.#value = value
  }
}
