// Addresses of resources, and specifiers that match them.
export { addressOf, parseAddress, type Resource, type ResourceLevel } from '../rules/address.ts'
export { parseSpecifier, type Specifier, type SpecifierLevel } from '../rules/policy/specifier.ts'
export type { TextPattern } from '../rules/policy/text-pattern.ts'

// The vocabulary of policies.
export {
  isResourceKind,
  type ResourceKind,
  type ResourceShape,
  resourceShapes,
} from '../rules/policy/resource-kinds.ts'
export { actionsOf } from '../rules/policy/actions.ts'
export { type BaseRole, baseRoles } from '../rules/policy/base-roles.ts'
export { type Statement, type StatementFault, statementFaults } from '../rules/policy/statement.ts'

// Decisions.
export { type CompiledPolicy, compilePolicy, compileRole, type Decision, decide } from '../rules/policy/policy.ts'
export { type Explanation, explain } from '../rules/policy/explain.ts'
