import type { As, Engine } from '@halyard/core'
import { type Operation, type ResourceDescriptor, resources } from '@halyard/core/operations'
import { writes } from './tool.ts'

/** Decides whether a caller may do an action on some resource that an address with `*` stands for. */
type IsAllowed = (action: string, resource: string) => Promise<boolean>

/**
 * Returns the operations that a caller may call on at least one resource, as the policies of the caller say. Operations
 * that every caller may call are among them.
 *
 * @throws ApiError `unauthorized` when `as` is not a caller.
 */
export async function allowedOperations(engine: Engine, as: As): Promise<Operation[]> {
  const operations = await engine.definitions()
  const isAllowed = accessOf(engine, as)
  const allowed = await Promise.all(operations.map((operation) => mayCall(operation, isAllowed)))
  return operations.filter((_, index) => allowed[index])
}

/**
 * Returns true when a caller may call an operation on at least one resource.
 *
 * @throws ApiError `unauthorized` when `as` is not a caller.
 */
export function isAllowedOperation(engine: Engine, as: As, operation: Operation): Promise<boolean> {
  return mayCall(operation, accessOf(engine, as))
}

/** Returns a function that explains each action once. */
function accessOf(engine: Engine, as: As): IsAllowed {
  const decisions = new Map<string, Promise<boolean>>()
  return (action, resource) => {
    const key = `${action} ${resource}`
    const decision =
      decisions.get(key) ?? engine.explain({ as, action, resource }).then(({ allowedForSome }) => allowedForSome)
    decisions.set(key, decision)
    return decision
  }
}

async function mayCall(operation: Operation, isAllowed: IsAllowed): Promise<boolean> {
  const { access } = operation
  // Without a caller it accepts an invitation, for which an agent has no secret.
  if ('anonymous' in access) return false
  if ('open' in access) return !writes(operation) || mayChange(operation, isAllowed)
  const { action, resource, shows } = access
  const actions = typeof action === 'string' ? [action] : action
  if (!(await some(actions, (each) => isAllowed(each, everyResource(resource))))) return false
  if (shows && !(await isAllowed(shows.action, everyResource(shows.resource)))) return false
  return !writes(operation) || !actions.every((each) => each.startsWith('view')) || mayChange(operation, isAllowed)
}

/**
 * Tests the rights to the changes that an operation can make, where its own rule leaves them to its handler: those of
 * the properties of a patch, or any right to change the resource.
 */
function mayChange(operation: Operation, isAllowed: IsAllowed): Promise<boolean> {
  const { kinds = [] } = descriptors.get(operation.id) ?? {}
  const { body } = operation
  const ofPatch = body?.kind === 'patch' ? new Set<string>(Object.values(body.actions).flat()) : undefined
  const needed = kinds.flatMap(({ shape, actions }) =>
    actions
      .filter((action) => (ofPatch?.size ? ofPatch.has(action) : !action.startsWith('view')))
      .map((action) => ({
        action,
        resource: shape
          .split(':')
          .map((kind) => `${kind}/*`)
          .join(':'),
      })),
  )
  return needed.length === 0
    ? Promise.resolve(true)
    : some(needed, ({ action, resource }) => isAllowed(action, resource))
}

const descriptors: ReadonlyMap<string, ResourceDescriptor> = new Map(
  resources.flatMap((resource: ResourceDescriptor) => resource.operations.map(({ id }) => [id, resource] as const)),
)

async function some<Item>(items: readonly Item[], test: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await test(item)) return true
  return false
}

/** Returns the address that stands for all resources that the parameters of a template can name. */
const everyResource = (template: string) => template.replace(/\{[^}]+\}/g, '*')
