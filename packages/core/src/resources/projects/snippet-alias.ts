import type { ClientSideAvailability } from '../../models/projects/project.ts'
import type { JsonPatch } from '../../operation/body.ts'
import { fail, type ValidationError } from '../../operation/errors.ts'

/**
 * Two properties of a resource with one meaning: a boolean, and `usingEnvironmentId` of the client-side availability
 * (docs/decisions/0058-mark-properties-that-only-store.md). Only the availability is stored.
 */
export interface SnippetAlias {
  /** Name of the boolean. */
  readonly alias: string
  /** Name of the client-side availability. */
  readonly availability: string
}

/** The values of a request or document for the two properties. */
export interface SnippetValues {
  readonly alias?: boolean | undefined
  readonly availability?: ClientSideAvailability | undefined
}

/** Returns a validation error for each of the two properties when their values contradict each other. */
export function snippetErrors(names: SnippetAlias, { alias, availability }: SnippetValues): ValidationError[] {
  if (alias === undefined || availability === undefined || alias === availability.usingEnvironmentId) return []
  const flag = `${names.availability}.usingEnvironmentId`
  return [
    { attribute: names.alias, reason: `must be equal to ${flag}` },
    { attribute: flag, reason: `must be equal to ${names.alias}` },
  ]
}

/**
 * Returns the client-side availability that a new resource gets.
 *
 * @param requested values of the request, which do not contradict each other.
 * @param inherited availability of a resource for which the request has no value.
 */
export function requestedAvailability(
  { alias, availability }: SnippetValues,
  inherited: ClientSideAvailability,
): ClientSideAvailability {
  if (availability) return availability
  return alias === undefined ? inherited : { ...inherited, usingEnvironmentId: alias }
}

/**
 * Returns the client-side availability after a JSON Patch, which can change either property or both.
 *
 * @param patched values after the patch.
 * @throws ApiError `invalid_request` naming both properties when the patch sets them to different values.
 */
export function patchedAvailability(
  names: SnippetAlias,
  patch: JsonPatch,
  { alias, availability }: { readonly alias: boolean | undefined; readonly availability: ClientSideAvailability },
): ClientSideAvailability {
  if (alias === undefined || alias === availability.usingEnvironmentId) return availability
  const aliasIsSet = writes(patch, [names.alias])
  const errors = snippetErrors(names, { alias, availability })
  if (aliasIsSet && writes(patch, [names.availability, 'usingEnvironmentId'])) fail('invalid_request', { errors })
  return aliasIsSet ? { ...availability, usingEnvironmentId: alias } : availability
}

/** Tests whether an operation of the patch sets the property at a path, or something that contains it. */
function writes({ operations }: JsonPatch, path: readonly string[]): boolean {
  return operations.some(
    (operation) => operation.op !== 'test' && operation.path.tokens.every((token, index) => token === path[index]),
  )
}
