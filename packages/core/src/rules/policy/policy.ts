import { ByKinds, type Resource, type ResourceLevel } from '../address.ts'
import type { CompiledSpecifier } from './compiled-statement.ts'
import { appliesTo, type CompiledStatement, compileStatement, type Decision } from './compiled-statement.ts'
import type { Statement } from './statement.ts'
import type { RoleAttributes } from './text-pattern.ts'
import type { PolicyVocabulary } from './vocabulary.ts'

export type { Decision } from './compiled-statement.ts'

/** A role that is compiled for one caller; it can be reused in several policies. */
export interface CompiledRole {
  readonly name: string
  readonly statements: readonly CompiledStatement[]
}

/** A role as it is stored: its name, which decisions report, and its statements. */
export interface RoleToCompile {
  readonly name: string
  readonly statements: readonly Statement[]
}

/** The properties of a caller that a role depends on, in addition to its statements. */
export interface RoleCaller {
  /** The values of `${roleAttribute/name}`. Default: no values. */
  readonly roleAttributes?: RoleAttributes
}

/** All roles of one caller, ready for decisions. */
export interface CompiledPolicy {
  readonly roles: readonly CompiledRole[]
  /** Attributes that decisions can depend on, by kind; for a kind that is absent, decisions depend on the keys only. */
  readonly needs: ReadonlyMap<string, AttributeNeeds>
  /** Returns the statements that can apply to an action and the kinds of a resource, grouped by role. */
  candidates(action: string, resource: Resource): readonly RoleCandidates[]
}

/** Attributes of a level that the caller must load before a decision; otherwise rules about them do not match. */
export interface AttributeNeeds {
  readonly tags: boolean
  readonly properties: boolean
  readonly views: boolean
}

export interface RoleCandidates {
  readonly allows: readonly Candidate[]
  readonly denies: readonly Candidate[]
}

export interface Candidate {
  readonly statement: CompiledStatement
  /** Specifiers that have the resource's shape. */
  readonly specifiers: readonly CompiledSpecifier[]
}

/**
 * Maximum number of cached candidate lists per policy. Operations need far fewer lists, so only requests with invented
 * kinds reach this number.
 */
const MAX_CACHED = 4096

const NO_NEEDS: AttributeNeeds = { tags: false, properties: false, views: false }

const DENIED_BY_DEFAULT: Decision = Object.freeze({ allowed: false })

/**
 * Binds the statements of a role to a caller (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 *
 * @param role its name, which decisions contain, and its statements, which {@link validateStatements} has accepted.
 * @param caller the values of `${roleAttribute/name}`.
 * @param vocabulary the kinds and shapes that specifiers may name.
 * @throws TypeError when a statement is not well-formed.
 */
export function compileRole(role: RoleToCompile, caller: RoleCaller, vocabulary: PolicyVocabulary): CompiledRole {
  const { name, statements } = role
  const { roleAttributes = {} } = caller
  const compiled = statements.map((statement, index) =>
    compileStatement(name, statement, index, roleAttributes, vocabulary),
  )
  return { name, statements: compiled }
}

/**
 * Combines the roles of a caller (docs/decisions/0002-decide-access-by-policy.md#d15-policies): it is enough that any
 * one of them allows an action.
 *
 * It is cheap: candidate statements are selected on the first decision for an action and shape, then cached.
 */
export function compilePolicy(roles: readonly CompiledRole[]): CompiledPolicy {
  const byAction = new Map<string, ByKinds<readonly RoleCandidates[]>>()
  let cachedCount = 0

  function cacheCandidates(action: string, resource: Resource, candidates: readonly RoleCandidates[]): void {
    if (cachedCount >= MAX_CACHED) return
    cachedCount++
    const byKinds = byAction.get(action) ?? new ByKinds()
    byAction.set(action, byKinds)
    byKinds.set(resource, candidates)
  }

  return {
    roles,
    needs: attributeNeeds(roles),
    candidates(action, resource) {
      const cached = byAction.get(action)?.get(resource)
      if (cached) return cached
      const candidates = selectCandidates(roles, action, resource)
      cacheCandidates(action, resource, candidates)
      return candidates
    },
  }
}

/**
 * Decides if a policy allows an action on a resource (docs/decisions/0002-decide-access-by-policy.md#d15-policies):
 * inside one role any deny wins, regardless of order; any role that allows is enough; an action without a matching
 * statement is denied.
 *
 * A resource with the key `*` represents all resources of its kind. It is allowed by a statement that matches all of
 * them, and denied by a statement that matches some of them: for example, a change in all environments is prevented by
 * a deny for production, and an allow for test is not enough for it.
 *
 * @param resource resource with the attributes that `policy.needs` lists; an omitted attribute counts as absent.
 * @returns the first allow of the first role that allows; otherwise the first deny; otherwise a decision without a
 *   statement.
 */
export function decide(policy: CompiledPolicy, action: string, resource: Resource): Decision {
  let denial = DENIED_BY_DEFAULT
  for (const role of policy.candidates(action, resource)) {
    const deny = firstApplicable(role.denies, resource)
    if (deny === undefined) {
      const allow = firstApplicable(role.allows, resource)
      if (allow !== undefined) return allow.decision
    } else if (denial === DENIED_BY_DEFAULT) denial = deny.decision
  }
  return denial
}

/**
 * Returns true if a policy allows an action on some of the resources that a resource with the key `*` represents. Tags
 * and properties count as fulfilled where they could be.
 */
export function allowsSome(policy: CompiledPolicy, action: string, resource: Resource): boolean {
  return policy
    .candidates(action, resource)
    .some(({ allows, denies }) => allows.some(reaches(resource)) && !denies.some(reaches(resource)))
}

/** Returns true if a policy decides alike on an action for all resources that have the same kinds as this resource. */
export function decidesByKinds(policy: CompiledPolicy, action: string, resource: Resource): boolean {
  return policy.candidates(action, resource).every(({ allows, denies }) => [...allows, ...denies].every(appliesByKinds))
}

/**
 * Returns true if a statement applies to all resources of its kinds. A statement without a specifier of this shape is
 * one with `notResources`, and applies to all resources.
 */
function appliesByKinds({ specifiers }: Candidate): boolean {
  return specifiers.length === 0 || specifiers.some(({ tests }) => tests.length === 0)
}

/**
 * Returns a test of statements: true for an allow that applies to at least one of the resources, and for a deny that
 * applies to all of them. A decision requires the opposite.
 */
const reaches =
  (resource: Resource) =>
  ({ statement, specifiers }: Candidate): boolean =>
    appliesTo({ ...statement, coverage: statement.coverage === 'all' ? 'some' : 'all' }, specifiers, resource)

function firstApplicable(candidates: readonly Candidate[], resource: Resource): CompiledStatement | undefined {
  for (const { statement, specifiers } of candidates) if (appliesTo(statement, specifiers, resource)) return statement
  return undefined
}

function selectCandidates(roles: readonly CompiledRole[], action: string, resource: Resource): RoleCandidates[] {
  const shape = resource.map((level) => level.kind).join(':')
  return roles
    .map((role) => candidatesOf(role, action, shape))
    .filter((role) => role.allows.length > 0 || role.denies.length > 0)
}

function candidatesOf(role: CompiledRole, action: string, shape: string): RoleCandidates {
  const candidates = role.statements
    .filter((statement) => statement.matchesAction(action))
    .map((statement) => ({
      statement,
      specifiers: statement.specifiers.filter((specifier) => specifier.shape === shape),
    }))
    .filter(({ statement, specifiers }) => statement.negated || specifiers.length > 0)
  return {
    allows: candidates.filter(({ statement }) => statement.effect === 'allow'),
    denies: candidates.filter(({ statement }) => statement.effect === 'deny'),
  }
}

function attributeNeeds(roles: readonly CompiledRole[]): Map<string, AttributeNeeds> {
  const needs = new Map<string, AttributeNeeds>()
  for (const { shape, tests } of roles
    .flatMap((role) => role.statements)
    .flatMap((statement) => statement.specifiers)) {
    for (const { at: levelIndex, qualifiers } of tests) {
      const kind = shape.split(':')[levelIndex] as string
      for (const { attribute } of qualifiers) needs.set(kind, { ...(needs.get(kind) ?? NO_NEEDS), [attribute]: true })
    }
  }
  return needs
}

/** Returns true when a decision by one of the policies may need an attribute that the level lacks. */
export function lacksAttributes(policies: readonly CompiledPolicy[], level: ResourceLevel): boolean {
  for (const policy of policies) if (lacks(policy, level)) return true
  return false
}

function lacks(policy: CompiledPolicy, level: ResourceLevel): boolean {
  const needs = policy.needs.get(level.kind)
  if (!needs) return false
  return (needs.tags && !level.tags) || (needs.properties && !level.properties) || (needs.views && !level.views)
}
