import type { ResourceDescriptor } from '../operation/resource.ts'
import * as descriptors from './index.ts'

// The resources with which a reader of the reference starts come first; the others follow by name.
const { projects, environments, flags, segments, contextKinds, members, teams, roles, tokens, ...others } = descriptors
/** The descriptors of all resources, in the order of the reference. */
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
  ...Object.values(others),
]

/** Any operation of the engine, with the types of its call. */
export type OperationOfEngine = (typeof descriptors)[keyof typeof descriptors]['operations'][number]
