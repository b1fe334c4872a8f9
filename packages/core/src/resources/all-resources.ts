import type { ResourceDescriptor } from '../operation/resource.ts'
import * as descriptors from './index.ts'

/**
 * Returns the exports of a module in the order of their names. A module loader may list them in the order in which the
 * module declares them.
 */
export function inOrderOfNames<Export>(module: { readonly [name: string]: Export }): [name: string, value: Export][] {
  return Object.entries(module).sort(([a], [b]) => (a < b ? -1 : 1))
}

// The resources with which a reader of the reference pages starts come first; the others follow by name.
const { projects, environments, flags, segments, contextKinds, members, teams, roles, tokens, ...others } = descriptors
/** The descriptors of all resources, in the order of the reference pages. */
export const resources: readonly ResourceDescriptor[] = [
  projects,
  environments,
  flags,
  segments,
  contextKinds,
  members,
  teams,
  roles,
  tokens,
  ...inOrderOfNames(others).map(([, descriptor]) => descriptor),
]

/** Any operation of the engine, with the types of its call. */
export type OperationOfEngine = (typeof descriptors)[keyof typeof descriptors]['operations'][number]
