import type { ResourceDescriptor } from '../operation/resource.ts'
import * as descriptors from './index.ts'

// The resources that a reader of the reference needs first; the others follow by name.
const { projects, environments, flags, segments, contextKinds, members, teams, roles, tokens, ...others } = descriptors
const ordered = [
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

/** The descriptors of all resources, in the order of the reference. */
export const resources: readonly ResourceDescriptor[] = ordered

/** Any operation of the engine, with the types of its call. */
export type OperationOfEngine = (typeof descriptors)[keyof typeof descriptors]['operations'][number]

/** All operations of the engine. Its type is written down, because an inferred one would list every schema. */
export const operations: readonly OperationOfEngine[] = ordered.flatMap(
  ({ operations }): readonly OperationOfEngine[] => operations,
)
