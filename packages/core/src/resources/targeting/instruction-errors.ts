import { fail } from '../../operation/errors.ts'
import type { VariationLookup } from './instruction.ts'

/** Returns a function that rejects the request with an error that names the instruction by its index. */
export function refuseInstructionAt(index: number): VariationLookup['refuse'] {
  return (attribute, reason) =>
    fail('invalid_request', { errors: [{ attribute: `instructions.${index}.${attribute}`, reason }] })
}

/**
 * Returns the index of the instruction that introduced a problem. Searches by bisection, because each check is
 * expensive.
 *
 * @param states the state before the first instruction, then the state after each instruction.
 * @param hasProblem returns true for a state with the problem. The first state does not have it, and the last state has
 *   it.
 */
export function findCausingInstruction<State>(states: readonly State[], hasProblem: (state: State) => boolean): number {
  let lastGood = 0
  let firstBad = states.length - 1
  while (firstBad - lastGood > 1) {
    const middle = (lastGood + firstBad) >> 1
    if (hasProblem(states[middle] as State)) firstBad = middle
    else lastGood = middle
  }
  return lastGood
}
