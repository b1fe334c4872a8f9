import { compileRole } from '../../../resources/policy.ts'
import { parseAddress, type Resource, type ResourceLevel } from '../../address.ts'
import { compilePolicy, decide } from '../policy.ts'
import type { Statement } from '../statement.ts'

/** What a level of an address has beside its kind and key. */
export type Attributes = Partial<Omit<ResourceLevel, 'kind' | 'key'>>

/** The policy of one role with these statements. */
export function policyOf(...statements: Statement[]) {
  return compilePolicy([compileRole({ name: 'role', statements })])
}

/** A statement that allows everything on these resources. */
export function allow(...resources: string[]): Statement {
  return { effect: 'allow', resources, actions: ['*'] }
}

/** A statement that denies everything on them. */
export function deny(...resources: string[]): Statement {
  return { effect: 'deny', resources, actions: ['*'] }
}

/** Reads an address and gives attributes to the kinds named. */
export function resource(address: string, attributes: Readonly<Record<string, Attributes>> = {}): Resource {
  const levels = parseAddress(address)
  if (!levels) throw new Error(`no address: ${address}`)
  return levels.map((level) => ({ ...level, ...attributes[level.kind] }))
}

/** Whether rules allow `updateOn` on a resource. */
export function allowed(
  rules: Statement | Statement[],
  address: string,
  attributes?: Record<string, Attributes>,
): boolean {
  return decide(policyOf(...[rules].flat()), 'updateOn', resource(address, attributes)).allowed
}
