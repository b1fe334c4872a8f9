export { type Api, createEngine, type Engine } from './engine.ts'
export type { Caller } from './operation/caller.ts'
export type { Host, LogEntry } from './operation/context.ts'
export type { EngineInput, RateLimitInput } from './operation/engine-options.ts'
export { ApiError, type ErrorBody, type ErrorCode, errorTable, type Fault, gateCodes } from './operation/errors.ts'
export type { CallAnswer, CallInput, Operation } from './operation/operation.ts'
export type { WireAnswer, WireBody, WireRequest } from './operation/wire.ts'
export type { As } from './pipeline/authenticate.ts'
export type { AccessQuestion } from './pipeline/explain-access.ts'
export type { CallOptions } from './pipeline/walk.ts'
export type { Bootstrapped, BootstrapInput } from './resources/account/bootstrap.ts'
export { addressOf, parseAddress, type Resource, type ResourceLevel } from './rules/address.ts'
export {
  type Comparison,
  describeFault,
  type FilterFault,
  type FilterTerm,
  type ParsedFilter,
  parseQueryFilter,
  parseTermFilter,
  printQueryFilter,
  printTermFilter,
  type QueryFilter,
  type TermFilter,
} from './rules/filter/index.ts'
export { applyPatch, type PatchOptions, type PatchOutcome } from './rules/json-patch/apply-patch.ts'
export { type ParsedPatch, parsePatch } from './rules/json-patch/parse-patch.ts'
export { actionsOf } from './rules/policy/actions.ts'
export { type BaseRole, baseRoles } from './rules/policy/base-roles.ts'
export { type Explanation, explain } from './rules/policy/explain.ts'
export { type CompiledPolicy, compilePolicy, compileRole, type Decision, decide } from './rules/policy/policy.ts'
export { isResourceKind, type ResourceKind, type ResourceShape, resourceShapes } from './rules/policy/resource-kinds.ts'
export { parseSpecifier, type Specifier, type SpecifierLevel } from './rules/policy/specifier.ts'
export { type Statement, type StatementFault, statementFaults } from './rules/policy/statement.ts'
export type { TextPattern } from './rules/policy/text-pattern.ts'
export { compareCodePoints } from './storage/code-point-order.ts'
export * from './storage/port.ts'
