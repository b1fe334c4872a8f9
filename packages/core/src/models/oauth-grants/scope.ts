import type { Grant } from '../../operation/caller.ts'

/** Base roles that a scope can name, from the fewest rights to the most. `owner` is for members only. */
export const baseScopes = ['reader', 'writer', 'admin'] as const

/** The scope of a request that names no scope: the fewest rights (RFC 6749, 3.3). */
export const defaultScopes: readonly string[] = ['reader']

/** Returns the keys of the custom roles among scopes; a base role hides a custom role with the same name. */
export function customRolesOf(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !(baseScopes as readonly string[]).includes(scope))
}

/** Returns the rights of scopes. Each base role includes the rights of the base roles before it. */
export function grantOfScopes(scopes: readonly string[]): Grant {
  const role = baseScopes.findLast((name) => scopes.includes(name))
  return { ...(role ? { role } : {}), customRoles: customRolesOf(scopes) }
}
