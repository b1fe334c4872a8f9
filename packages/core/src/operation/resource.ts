import type { PolicyKind } from '../rules/policy/policy-kind.ts'
import type { StoredCollection } from '../storage/collection.ts'
import type { Operation } from './operation.ts'

/**
 * The descriptor of a resource. Derived from all descriptors together: the table of operations, the vocabulary of
 * policies, the stored collections of back-ups, and the tags and parameter descriptions of the OpenAPI document.
 */
export interface ResourceDescriptor<Operations extends readonly Operation[] = readonly Operation[]> {
  /** Name of the group of its operations in the reference, e.g. `Teams`. */
  readonly title: string
  /** One sentence about the resource, for the reference. */
  readonly description: string
  /** The kinds that policies know it by. Default: none, for parts of another resource. */
  readonly kinds?: readonly PolicyKind[]
  /** Collections that its documents are stored in. Default: none. */
  readonly collections?: readonly StoredCollection[]
  readonly operations: Operations
  /**
   * Descriptions of path and query parameters, by name; by `operationId.name` for a parameter that means something else
   * in one operation. Default: `parameterDescriptions`.
   */
  readonly parameters?: Readonly<Record<string, string>>
}

/**
 * Declares a resource.
 *
 * @param descriptor returned as it is, with the types of its operations.
 * @example
 * export const teams = resource({
 *   title: 'Teams',
 *   description: 'Groups of members that share roles.',
 *   kinds: [{ shape: 'team', accountLevel: true, actions: ['viewTeam', 'createTeam', 'deleteTeam'] }],
 *   collections: [teamDocuments],
 *   operations: [listTeams, getTeam, createTeam, deleteTeam],
 *   parameters: { teamKey: 'Key of the team.' },
 * })
 */
export function resource<const Operations extends readonly Operation[]>(
  descriptor: ResourceDescriptor<Operations>,
): ResourceDescriptor<Operations> {
  return descriptor
}
