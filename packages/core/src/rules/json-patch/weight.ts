import { type Container, isContainer } from './pointer.ts'

/**
 * Takes the weight of a value, values plus characters, from a budget.
 *
 * A copy costs nothing here but doubles what is written out later: thirty operations can make a document of a
 * gigabyte out of one line. Hence the budget, and for the same reason the limit on levels.
 *
 * @param levels how deep containers may nest in the value.
 * @param budget what is left to spend.
 * @returns what is left afterwards; negative when it was not enough, or when the value is too deep.
 */
export function spendWeight(value: unknown, levels: number, budget: number): number {
  if (typeof value === 'string') return budget - 1 - value.length
  if (!isContainer(value)) return budget - 1
  return levels === 0 ? -1 : spendMembers(value, levels - 1, budget - 1)
}

function spendMembers(container: Container, levels: number, budget: number): number {
  let left = budget
  for (const [name, value] of Object.entries(container)) {
    if (left < 0) return left
    left = spendWeight(value, levels, Array.isArray(container) ? left : left - name.length)
  }
  return left
}
