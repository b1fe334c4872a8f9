import { ApiError, type HostIdentity, type MemberIdentity, type ServiceIdentity } from '@halyard/core'
import type { JWTPayload } from 'jose'
import type { JwtIdentifierOptions, ServiceRule } from './jwt-identifier-options.ts'

/** Base roles that a claim can name. */
const baseRoles: readonly unknown[] = ['reader', 'writer', 'admin', 'owner', 'no_access']

/**
 * Returns the caller whom the claims of a valid token name: a member, or else a program by the rules for subjects.
 *
 * @throws ApiError `unauthorized` when the claims name neither a member nor a program, or a claim has an invalid value.
 */
export function identityOf(
  payload: JWTPayload,
  { claims = {}, services = [] }: Pick<JwtIdentifierOptions, 'claims' | 'services'>,
): HostIdentity {
  const memberClaim = claims.member ?? 'email'
  const member = payload[memberClaim]
  if (member === undefined) return serviceOf(payload, services)
  if (typeof member !== 'string' || member === '') return refuse(memberClaim, 'must be a text')
  // Users of some issuers may enter any address.
  if (memberClaim === 'email' && payload.email_verified !== true) return refuse('email_verified', 'must be true')
  return {
    member,
    session: false,
    ...(claims.role === undefined ? {} : { role: roleOf(claims.role, payload[claims.role]) }),
    ...(claims.teams === undefined ? {} : { teams: teamsOf(claims.teams, payload[claims.teams]) }),
  }
}

function roleOf(claim: string, value: unknown): MemberIdentity['role'] {
  // Cast: the list has the names of that type.
  return baseRoles.includes(value) ? (value as MemberIdentity['role']) : refuse(claim, 'must be a base role')
}

function teamsOf(claim: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((key) => typeof key === 'string')) return value
  return refuse(claim, 'must be a list of texts')
}

function serviceOf({ sub }: JWTPayload, services: readonly ServiceRule[]): ServiceIdentity {
  const rule = sub === undefined ? undefined : services.find(({ subject }) => patternOf(subject).test(sub))
  if (!rule || sub === undefined || sub.length > 256) return refuse('sub', 'must be the subject of a rule')
  const { role, inlinePolicy } = rule
  return { service: sub, role, inlinePolicy, session: false }
}

function patternOf(subject: string): RegExp {
  const parts = subject.split('*').map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

function refuse(claim: string, rule: string): never {
  throw new ApiError('unauthorized', { explanation: `the JSON Web Token is refused: the claim ${claim} ${rule}` })
}
