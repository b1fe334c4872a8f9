import { type Statement, statementFaults } from '@halyard/core/policy'

/** A policy as applications keep it: bare statements, or a role, such as the body of `createRole`. */
export type PolicySource = readonly Statement[] | NamedPolicy

/** A policy with a name to tell it by. */
export interface NamedPolicy {
  /** What explanations call it. Default `policy`, or `policy 2` for the second of several. */
  readonly name?: string
  readonly policy: readonly Statement[]
}

/** A policy with its name settled, as `compileRole` takes it. */
export interface PolicyRole {
  readonly name: string
  readonly statements: readonly Statement[]
}

/**
 * Reads one policy, or several that one caller has together.
 *
 * @param source a policy or a list of policies; an empty list is one policy that grants nothing.
 * @returns a role for each policy, in the order given.
 * @throws TypeError naming every part that is no statement: a rule that cannot be read must not be skipped.
 */
export function rolesOf(source: PolicySource | readonly PolicySource[]): readonly PolicyRole[] {
  const roles = isList(source) ? source.map((one, index) => roleOf(one, index)) : [roleOf(source, 0)]
  const faults = roles.flatMap(({ name, statements }) =>
    statementFaults(statements).map(({ attribute, reason }) => `\`${name}\` ${attribute} ${reason}`),
  )
  if (faults.length > 0) throw new TypeError(`not a policy: ${faults.join('; ')}`)
  return roles
}

/** Statements are neither arrays nor have a `policy`, so a list of policies cannot be mistaken for one. */
function isList(source: PolicySource | readonly PolicySource[]): source is readonly PolicySource[] {
  return Array.isArray(source) && source.length > 0 && source.every((one) => Array.isArray(one) || isNamed(one))
}

function isNamed(value: unknown): value is NamedPolicy {
  return typeof value === 'object' && value !== null && 'policy' in value
}

function roleOf(source: PolicySource, index: number): PolicyRole {
  const { name, policy }: NamedPolicy = isNamed(source) ? source : { policy: source }
  return { name: name ?? (index === 0 ? 'policy' : `policy ${index + 1}`), statements: policy }
}
