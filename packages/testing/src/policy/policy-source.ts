import { type Statement, validateStatements } from '@halyard/core/policy'

/** A policy as applications store it: statements, or a role, such as the body of `createRole`. */
export type PolicySource = readonly Statement[] | NamedPolicy

/** A policy with a name. */
export interface NamedPolicy {
  /** Name in explanations. Default `policy`, or `policy 2` for the second of several. */
  readonly name?: string
  readonly policy: readonly Statement[]
}

/** A policy with its final name, as `compileRole` accepts it. */
export interface PolicyRole {
  readonly name: string
  readonly statements: readonly Statement[]
}

/**
 * Converts one policy, or several that one caller has together, to roles.
 * @param source a policy or a list of policies; an empty list is one policy that grants nothing.
 * @returns a role for each policy, in the same order.
 * @throws TypeError that names each invalid part, because an invalid statement must not be skipped.
 */
export function rolesOf(source: PolicySource | readonly PolicySource[]): readonly PolicyRole[] {
  const roles = isList(source) ? source.map((entry, index) => roleOf(entry, index)) : [roleOf(source, 0)]
  const statementErrors = roles.flatMap(({ name, statements }) =>
    // Unknown actions are findings of the linter, not errors.
    validateStatements(statements, statements).map(({ attribute, reason }) => `\`${name}\` ${attribute} ${reason}`),
  )
  if (statementErrors.length > 0) throw new TypeError(`not a policy: ${statementErrors.join('; ')}`)
  return roles
}

/**
 * Returns true if a source is a list of policies. It cannot be mistaken for one policy, because the elements of a
 * policy are statements, which are not arrays and do not have the property `policy`.
 */
function isList(source: PolicySource | readonly PolicySource[]): source is readonly PolicySource[] {
  return Array.isArray(source) && source.length > 0 && source.every((entry) => Array.isArray(entry) || isNamed(entry))
}

function isNamed(value: unknown): value is NamedPolicy {
  return typeof value === 'object' && value !== null && 'policy' in value
}

function roleOf(source: PolicySource, index: number): PolicyRole {
  const { name, policy }: NamedPolicy = isNamed(source) ? source : { policy: source }
  return { name: name ?? (index === 0 ? 'policy' : `policy ${index + 1}`), statements: policy }
}
