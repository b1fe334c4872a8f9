import { type Operation, type ResourceDescriptor, resources } from '@halyard/core/operations'

const resourceByOperation = new Map(
  resources.flatMap((resource) => resource.operations.map(({ id }) => [id, resource] as const)),
)

/** The tag of operations that belong to no resource of core. */
const otherTag = { name: 'Other', description: 'Operations that belong to no resource.' }

/**
 * Returns the descriptor of the resource that an operation belongs to; `undefined` for an operation that is not part of
 * core.
 */
export function resourceOf({ id }: Pick<Operation, 'id'>): ResourceDescriptor | undefined {
  return resourceByOperation.get(id)
}

/** Returns the tag of an operation: the title of its resource. */
export function tagOf(operation: Pick<Operation, 'id'>): string {
  return resourceOf(operation)?.title ?? otherTag.name
}

/** Returns the tags of operations, in the order of the resources, each with its description. */
export function tagsOf(operations: readonly Operation[]): { name: string; description: string }[] {
  const used = new Set(operations.map(tagOf))
  const resourceTags = resources.map(({ title, description }) => ({ name: title, description }))
  return [...resourceTags, otherTag].filter(({ name }) => used.has(name))
}
