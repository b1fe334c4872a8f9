import type { Resource } from '../address.ts'
import { type AccessDetails, accessOf, decisionsOf } from './access-details.ts'
import { type BaseRoles, baseRolesOf } from './base-roles.ts'
import { type Explanation, explain } from './explain.ts'
import {
  type CompiledPolicy,
  type CompiledRole,
  compileRole,
  type Decision,
  type RoleCaller,
  type RoleToCompile,
} from './policy.ts'
import type { PolicyKind } from './policy-kind.ts'
import { parseSpecifier, type Specifier } from './specifier.ts'
import { type Statement, type StatementError, validateStatements } from './statement.ts'
import { type PolicyVocabulary, policyVocabulary } from './vocabulary.ts'

/** The rules of policies for one vocabulary of kinds and actions. Each method calls the function of the same name. */
export interface PolicyRules {
  readonly vocabulary: PolicyVocabulary
  readonly baseRoles: BaseRoles
  /** See {@link parseSpecifier}. */
  parseSpecifier(source: string): Specifier | string
  /** See {@link validateStatements}. */
  validateStatements(statements: unknown, unchanged?: readonly Statement[]): StatementError[]
  /** See {@link compileRole}. */
  compileRole(role: RoleToCompile, caller?: RoleCaller): CompiledRole
  /** See {@link explain}. */
  explain(policy: CompiledPolicy, action: string, resource: Resource, layers?: readonly CompiledPolicy[]): Explanation
  /** See {@link accessOf}. */
  accessOf(policy: CompiledPolicy, resource: Resource): AccessDetails
  /** See {@link decisionsOf}. */
  decisionsOf(policy: CompiledPolicy, resource: Resource): readonly Decision[]
}

/**
 * Binds the rules of policies to a vocabulary.
 *
 * @param kinds the kinds of resources that policies can name, with their actions.
 */
export function policyRules(kinds: readonly PolicyKind[]): PolicyRules {
  const vocabulary = policyVocabulary(kinds)
  return {
    vocabulary,
    baseRoles: baseRolesOf(kinds),
    parseSpecifier: (source) => parseSpecifier(source, vocabulary),
    validateStatements: (statements, unchanged) => validateStatements(statements, vocabulary, unchanged),
    compileRole: (role, caller = {}) => compileRole(role, caller, vocabulary),
    explain: (policy, action, resource, layers) => explain({ policy, layers, action, resource }, vocabulary),
    accessOf: (policy, resource) => accessOf(policy, resource, vocabulary),
    decisionsOf: (policy, resource) => decisionsOf(policy, resource, vocabulary),
  }
}
