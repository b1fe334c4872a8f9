import { policyRules } from '../rules/policy/policy-rules.ts'
import type { ActionsByKind } from '../vocabulary/policy-kinds.ts'
import { policyKinds } from '../vocabulary/policy-kinds.ts'

/** The policy rules for the kinds of resources and the actions of this engine. */
export const policy = /* @__PURE__ */ policyRules(policyKinds)

/** The shape of a resource: the kinds in its address from the top down, e.g. `proj:env:flag`. */
export type ResourceShape = (typeof policyKinds)[number]['shape']

/** A kind of resource, e.g. `flag`. */
export type ResourceKind = keyof ActionsByKind

/** The actions of a kind, or of every kind: `ActionOf<'team'>`, `ActionOf`. */
export type ActionOf<Kind extends ResourceKind = ResourceKind> = ActionsByKind[Kind]

/**
 * Every shape that a resource can have. A specifier has exactly one of them
 * (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers,
 * docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 */
export const resourceShapes: readonly ResourceShape[] = /* @__PURE__ */ policyKinds.map(({ shape }) => shape)

/**
 * The built-in roles, as ordinary statements (docs/decisions/0002-decide-access-by-policy.md#d16-tokens): a reader
 * views everything but secrets; a writer also changes everything but account-level resources and what needs an
 * approval; an admin and an owner may do everything.
 */
export const baseRoles = policy.baseRoles

/**
 * Parses a resource specifier.
 *
 * @param source e.g. `proj/*:env/production:flag/*`.
 * @returns the specifier, or the reason why the text is not valid.
 */
export const parseSpecifier = policy.parseSpecifier

/**
 * Validates statements before they are stored (docs/decisions/0002-decide-access-by-policy.md#d15-policies). Valid
 * statements can be compiled.
 *
 * Unknown properties are ignored, so that a caller can send back a statement of a response, which has `role_name`.
 *
 * @param statements any value; must be an array of at most 500 `Statement` to be valid.
 * @param unchanged statements that are stored already; their actions may be unknown. Default: no statements.
 * @returns all validation errors, in the order of the statements; an empty list when the statements are valid.
 */
export const validateStatements = policy.validateStatements

/**
 * Compiles the statements of a role for a caller (docs/decisions/0002-decide-access-by-policy.md#d15-policies).
 *
 * @param role its name, which decisions report, and valid statements.
 * @param caller `roleAttributes`: the values of `${roleAttribute/name}`. Default: no values.
 * @throws TypeError when a statement is not valid.
 */
export const compileRole = policy.compileRole

/**
 * Makes the same decision as `decide` and explains it, for the authors of policies.
 *
 * It reads all statements with the action, which is too slow for every request; use it for consoles and error messages.
 * It names only statements of the caller's own roles.
 *
 * @param policy the policy that decides.
 * @param action e.g. `updateOn`.
 * @param resource the resource, with the attributes that `policy.needs` lists.
 * @param layers all policies that must allow the action, if there are several. Default: this policy alone.
 */
export const explain = policy.explain

/**
 * Splits the actions of a resource's kind into allowed and denied ones
 * (docs/decisions/0002-decide-access-by-policy.md#d18-access-details).
 *
 * @returns a new object, which the caller may change.
 */
export const accessOf = policy.accessOf

/** Returns true if the word is a kind of resource. */
export function isResourceKind(kind: string): kind is ResourceKind {
  return policy.vocabulary.isKind(kind)
}

/**
 * Lists the actions of a kind of resource (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
 *
 * @param kind e.g. `flag`; an unknown kind has no actions.
 */
export function actionsOf<Kind extends ResourceKind>(kind: Kind): readonly ActionOf<Kind>[]
export function actionsOf(kind: string): readonly string[]
export function actionsOf(kind: string): readonly string[] {
  return policy.vocabulary.actionsOf(kind)
}
