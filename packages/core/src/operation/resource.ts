import type { PolicyKind } from '../rules/policy/policy-kind.ts'
import type { StoredCollection } from '../storage/collection.ts'
import type { Operation } from './operation.ts'

/**
 * The descriptor of a resource. The table of operations, the vocabulary of policies, the collections of back-ups, and
 * the tags and parameter descriptions of the OpenAPI document are derived from all descriptors together.
 */
export interface ResourceDescriptor<Operations extends readonly Operation[] = readonly Operation[]> {
  /** Title of the group of operations in the reference pages, e.g. `Teams`. */
  readonly title: string
  /** One sentence about the resource, for the reference pages. */
  readonly description: string
  /**
   * The kinds of resource by which policies name it. Default: no kinds, for a resource that is a part of another
   * resource.
   */
  readonly kinds?: readonly PolicyKind[]
  /** Collections in which the documents of the resource are stored. Default: no collections. */
  readonly collections?: readonly StoredCollection[]
  /** The exports of the resource's `operations.ts`, in any order. */
  readonly operations: Operations
  /**
   * Descriptions of path and query parameters, by name, or by `operationId.name` for a parameter with another meaning
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
 *   operations: Object.values(operations),
 *   parameters: { teamKey: 'Key of the team.' },
 * })
 */
export function resource<const Operations extends readonly Operation[]>(
  descriptor: ResourceDescriptor<Operations>,
): ResourceDescriptor<Operations> {
  return descriptor
}
