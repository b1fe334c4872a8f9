// Addresses of resources, and specifiers that match them.
export { addressOf, parseAddress, type Resource, type ResourceLevel } from '../rules/address.ts'
// The vocabulary of policies.
export { actionsOf } from '../rules/policy/actions.ts'
export { type BaseRole, baseRoles } from '../rules/policy/base-roles.ts'
// Decisions.
export { type Explanation, explain } from '../rules/policy/explain.ts'
export { type CompiledPolicy, compilePolicy, compileRole, type Decision, decide } from '../rules/policy/policy.ts'
export {
  isResourceKind,
  type ResourceKind,
  type ResourceShape,
  resourceShapes,
} from '../rules/policy/resource-kinds.ts'
export { parseSpecifier, type Specifier, type SpecifierLevel } from '../rules/policy/specifier.ts'
export { type Statement, type StatementFault, statementFaults } from '../rules/policy/statement.ts'
export type { TextPattern } from '../rules/policy/text-pattern.ts'
