import type { ListQuery } from '../port.ts'

/**
 * Returns true for a list of everything at and under a scope, without bodies, conditions and an order. A deletion
 * requests dozens of such lists in one turn of the event loop, and a storage can combine them into one statement.
 */
export function isOfScope({ scope, deep, where = [], order = [], offset, count, select }: ListQuery): boolean {
  return deep === true && scope !== '' && where.length + order.length === 0 && !offset && !count && select === 'fields'
}
