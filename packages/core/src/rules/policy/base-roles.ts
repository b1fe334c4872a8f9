import { actionsOf } from './actions.ts'
import { lastKind, type ResourceKind, type ResourceShape, resourceShapes, specifierOf } from './resource-kinds.ts'
import type { Statement } from './statement.ts'

/** What decides who may do what: a writer may look at it and not touch it (D16). */
const accountLevelKinds: ReadonlySet<ResourceKind> = new Set([
  'acct',
  'member',
  'oauth-client',
  'role',
  'service-token',
  'team',
  'token',
])

/** Seeing these is as good as using them. */
const secretActions: ReadonlySet<string> = new Set(['viewSdkKey'])

/**
 * The roles that exist without being created, as ordinary statements (D16).
 *
 * One statement for each place where resources stand, so that the statement that explains a decision is short.
 */
export const baseRoles = {
  /** Reads everything but secrets. */
  reader: resourceShapes.flatMap(reading),
  /** Reads everything, and changes all but account-level things. */
  writer: resourceShapes.flatMap((shape) =>
    accountLevelKinds.has(lastKind(shape)) ? reading(shape) : [everything(shape)],
  ),
  admin: resourceShapes.map(everything),
  owner: resourceShapes.map(everything),
  no_access: [],
} as const satisfies Readonly<Record<string, readonly Statement[]>>

/** The roles that need no policy of the account (D16). */
export type BaseRole = keyof typeof baseRoles

function everything(shape: ResourceShape): Statement {
  return { effect: 'allow', resources: [specifierOf(shape)], actions: ['*'] }
}

function reading(shape: ResourceShape): Statement[] {
  const views = actionsOf(lastKind(shape)).filter((action) => action.startsWith('view') && !secretActions.has(action))
  return views.length > 0 ? [{ effect: 'allow', resources: [specifierOf(shape)], actions: views }] : []
}
