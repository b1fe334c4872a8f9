import { type Container, isContainer } from './pointer.ts'

/**
 * Subtracts the weight of a value, values plus characters, from a budget.
 *
 * A copy needs no memory but can double the serialized document, so thirty operations can turn one line into a
 * gigabyte. The budget prevents this growth, and the limit on levels prevents deep documents.
 *
 * @param levels maximum depth of containers in the value.
 * @param budget remaining weight.
 * @returns the remaining budget; negative if it was not enough, or if the value is too deep.
 */
export function spendWeight(value: unknown, levels: number, budget: number): number {
  if (typeof value === 'string') return budget - 1 - value.length
  if (!isContainer(value)) return budget - 1
  return levels === 0 ? -1 : spendChildren(value, levels - 1, budget - 1)
}

function spendChildren(container: Container, levels: number, budget: number): number {
  let remaining = budget
  for (const [name, value] of Object.entries(container)) {
    if (remaining < 0) return remaining
    remaining = spendWeight(value, levels, Array.isArray(container) ? remaining : remaining - name.length)
  }
  return remaining
}
