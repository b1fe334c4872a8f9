import type { As, Engine } from '@halyard/core'
import { type Operation, type ResourceDescriptor, resources } from '@halyard/core/operations'
import { writes } from './tool.ts'

/** Decides whether a caller may do an action on at least one of the resources that an address with `*` represents. */
type IsAllowed = (action: string, resource: string) => Promise<boolean>

/**
 * Returns the operations that a caller may call on at least one resource, according to the policies of the caller.
 * Operations that every caller may call are among them.
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
  // Such an operation accepts an invitation, and an agent has no secret of an invitation.
  if ('anonymous' in access) return false
  if ('open' in access) return !writes(operation) || mayChange(operation, isAllowed, access.demands)
  const { action, resource, shows } = access
  const actions = typeof action === 'string' ? [action] : action
  if (!(await some(actions, (each) => isAllowed(each, everyResource(resource))))) return false
  if (shows && !(await isAllowed(shows.action, everyResource(shows.resource)))) return false
  const isDecided =
    !writes(operation) || readable.has(operation.id) || !actions.every((each) => each.startsWith('view'))
  return isDecided || mayChange(operation, isAllowed)
}

/** Operations that create something for a caller who may only view: a file with the keys of a segment. */
const readable: ReadonlySet<string> = new Set(['createBigSegmentExport'])

/**
 * Tests the rights that the handler of an operation requires, where the access rule of the operation leaves the
 * decision to the handler. These are the actions in `demands` of the rule and the actions of the properties of a patch.
 * If there are no such actions, the right is the action with the name of the operation; if that action does not exist,
 * it is any action that changes the resource.
 */
async function mayChange(
  { body, id }: Operation,
  isAllowed: IsAllowed,
  demands: readonly string[] = [],
): Promise<boolean> {
  const declared = new Set([...demands, ...(body?.kind === 'patch' ? Object.values(body.actions).flat() : [])])
  const sameName = id.replace(/^patch/, 'update')
  const namedActions = actionsWhere(resources, (action) =>
    declared.size > 0 ? declared.has(action) : action === sameName,
  )
  const descriptor = descriptors.get(id)
  const needed =
    namedActions.length > 0
      ? namedActions
      : actionsWhere(descriptor ? [descriptor] : [], (action) => !action.startsWith('view'))
  return needed.length === 0 || some(needed, ({ action, resource }) => isAllowed(action, resource))
}

/** Returns actions of resources, each with the address of all resources of its kind. */
function actionsWhere(descriptions: readonly ResourceDescriptor[], test: (action: string) => boolean) {
  return descriptions
    .flatMap(({ kinds = [] }) => kinds)
    .flatMap(({ shape, actions }) => {
      const levels = shape.split(':').map((kind) => `${kind}/*`)
      return actions.filter(test).map((action) => ({ action, resource: levels.join(':') }))
    })
}

const descriptors: ReadonlyMap<string, ResourceDescriptor> = new Map(
  resources.flatMap((resource: ResourceDescriptor) => resource.operations.map(({ id }) => [id, resource] as const)),
)

async function some<Item>(items: readonly Item[], test: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await test(item)) return true
  return false
}

/** Returns the address that represents all resources that the parameters of a template can name. */
const everyResource = (template: string) => template.replace(/\{[^}]+\}/g, '*')
