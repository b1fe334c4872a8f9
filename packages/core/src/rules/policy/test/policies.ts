import { compileRole } from '../../../resources/policy.ts'
import { parseAddress, type Resource, type ResourceLevel } from '../../address.ts'
import { compilePolicy, decide } from '../policy.ts'
import type { Statement } from '../statement.ts'

/** Attributes of a level of an address without its kind and key. */
export type Attributes = Partial<Omit<ResourceLevel, 'kind' | 'key'>>

/** Returns the policy of one role with these statements. */
export function policyOf(...statements: Statement[]) {
  return compilePolicy([compileRole({ name: 'role', statements })])
}

/** Returns a statement that allows everything on these resources. */
export function allow(...resources: string[]): Statement {
  return { effect: 'allow', resources, actions: ['*'] }
}

/** Returns a statement that denies everything on these resources. */
export function deny(...resources: string[]): Statement {
  return { effect: 'deny', resources, actions: ['*'] }
}

/** Parses an address and adds attributes to its levels, by kind. */
export function resource(address: string, attributes: Readonly<Record<string, Attributes>> = {}): Resource {
  const levels = parseAddress(address)
  if (!levels) throw new Error(`invalid address: ${address}`)
  return levels.map((level) => ({ ...level, ...attributes[level.kind] }))
}

/** Returns true if statements allow `updateOn` on a resource. */
export function allowed(
  rules: Statement | Statement[],
  address: string,
  attributes?: Record<string, Attributes>,
): boolean {
  return decide(policyOf(...[rules].flat()), 'updateOn', resource(address, attributes)).allowed
}
