// Addresses of resources, and specifiers that match them.
export { addressOf, isKeylessKind, parseAddress, type Resource, type ResourceLevel } from '../rules/address.ts'
export type { Specifier, SpecifierLevel } from '../rules/policy/specifier.ts'
export { parseSpecifier } from '../resources/policy.ts'
export { specifierOf } from '../rules/policy/vocabulary.ts'
export type { TextPattern } from '../rules/policy/text-pattern.ts'

// The kinds of resources and the actions that policies can name.
export {
  actionsOf,
  baseRoles,
  isResourceKind,
  type ResourceKind,
  type ResourceShape,
  resourceShapes,
  validateStatements,
} from '../resources/policy.ts'
export type { BaseRole } from '../rules/policy/base-roles.ts'
export type { Statement, StatementError } from '../rules/policy/statement.ts'

// Decisions.
export { type CompiledPolicy, compilePolicy, type Decision, decide } from '../rules/policy/policy.ts'
export type { Explanation } from '../rules/policy/explain.ts'
export { compileRole, explain } from '../resources/policy.ts'
