import * as v from 'valibot'
import { members } from '../../models/members/member.ts'
import { type Token, tokenUses } from '../../models/tokens/token.ts'
import type { Grant } from '../../operation/caller.ts'
import type { ReadContext } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { links, list, name, storedOnly, text, timestamp } from '../../operation/schema.ts'
import { memberSummaryResponse, serializeMemberSummary } from '../members/member-schema.ts'
import { patchedPolicy, policyResponse } from '../roles/policy-schema.ts'

/**
 * Base roles that a token can have (docs/decisions/0002-decide-access-by-policy.md#d16-tokens). `owner` is for members
 * only.
 */
const tokenRoles = ['reader', 'writer', 'admin'] as const

const apiVersions = [20240415, 20220603, 20210729, 20191212, 20160426] as const

/**
 * Properties of a token that a patch may set. An inline role replaces the base role, and custom roles limit it. An
 * inline role and custom roles cannot be combined (docs/specification.md).
 */
export const tokenSettings = v.object({
  name: v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters')),
  description: text(),
  inlineRole: v.optional(patchedPolicy),
  customRoleIds: v.optional(v.pipe(v.array(name()), v.maxLength(100, 'must contain at most 100 roles'), v.readonly())),
  role: v.optional(v.picklist(tokenRoles, `must be one of ${tokenRoles.join(', ')}`)),
  defaultApiVersion: storedOnly(v.picklist(apiVersions, `must be one of ${apiVersions.join(', ')}`)),
})

export type TokenRights = Pick<v.InferOutput<typeof tokenSettings>, 'inlineRole' | 'customRoleIds' | 'role'>

const tokenObject = v.object({
  _id: v.string(),
  ownerId: v.string(),
  memberId: v.string(),
  _member: v.optional(memberSummaryResponse),
  name: v.string(),
  description: v.string(),
  creationDate: timestamp(),
  lastModified: timestamp(),
  customRoleIds: list(v.string()),
  inlineRole: policyResponse,
  role: v.optional(v.string()),
  token: v.string(),
  serviceToken: v.boolean(),
  _links: links(),
  defaultApiVersion: storedOnly(v.number()),
  lastUsed: timestamp(),
})

/** A token in a response. */
export interface TokenResponse extends v.InferOutput<typeof tokenObject> {}

export const tokenResponse: v.GenericSchema<TokenResponse> = tokenObject

/**
 * Returns the rights of a token from the three properties: inline role before custom roles before base role
 * (docs/decisions/0002-decide-access-by-policy.md#d16-tokens).
 */
export function grantOf({ inlineRole, customRoleIds, role }: TokenRights): Grant {
  if (inlineRole && inlineRole.length > 0) return { statements: inlineRole }
  if (customRoleIds && customRoleIds.length > 0) return { customRoles: customRoleIds }
  return { role: role ?? 'reader' }
}

/**
 * Requires that a token does not have both an inline role and custom roles, because the engine would ignore the custom
 * roles.
 *
 * @throws ApiError `invalid_request`.
 */
export function requireOneKindOfRole({ inlineRole = [], customRoleIds = [] }: TokenRights): void {
  if (inlineRole.length === 0 || customRoleIds.length === 0) return
  const reason = 'must be empty in a token with an inlineRole, which is used in place of roles'
  fail('invalid_request', { errors: [{ attribute: 'customRoleIds', reason }] })
}

/** Returns the three properties of a token that describe its rights. */
export function rightsOf(grant: Grant): TokenRights {
  return { inlineRole: grant.statements, customRoleIds: grant.customRoles, role: grant.role as TokenRights['role'] }
}

/**
 * Serializes a token.
 *
 * @param value the secret, only when it was just created. Otherwise the response contains its last four characters.
 */
export async function serializeToken(context: ReadContext, token: Token, value?: string): Promise<TokenResponse> {
  const [member, use] = await Promise.all([
    context.tx.get(members, { memberId: token.memberId }),
    context.tx.get(tokenUses, { id: token.id }),
  ])
  return {
    _id: token.id,
    ownerId: token.ownerId,
    memberId: token.memberId,
    ...(member ? { _member: serializeMemberSummary(member) } : {}),
    name: token.name,
    description: token.description,
    creationDate: context.format.time(token.createdAt),
    lastModified: context.format.time(token.lastModified),
    customRoleIds: token.grant.customRoles ?? [],
    inlineRole: token.grant.statements ?? [],
    ...(token.grant.role ? { role: token.grant.role } : {}),
    token: value ?? token.lastFour,
    serviceToken: token.serviceToken,
    _links: selfAndParent(path`/api/v2/tokens/${token.id}`, '/api/v2/tokens'),
    defaultApiVersion: token.defaultApiVersion,
    lastUsed: context.format.time(use?.at ?? 0),
  }
}
