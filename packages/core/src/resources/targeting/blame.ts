import { fail } from '../../operation/errors.ts'
import type { VariationNames } from './instruction.ts'

/** Returns a function that rejects the request with an error that names the instruction by its index. */
export function refuseAt(index: number): VariationNames['refuse'] {
  return (attribute, reason) =>
    fail('invalid_request', { errors: [{ attribute: `instructions.${index}.${attribute}`, reason }] })
}

/**
 * Returns the index of the instruction that introduced a problem. Searches by bisection, because each check is
 * expensive.
 *
 * @param states the state before the first instruction, then the state after each instruction.
 * @param hasProblem tests whether a state has the problem. The first state does not have it, the last one does.
 */
export function turningPoint<State>(states: readonly State[], shows: (state: State) => boolean): number {
  let clean = 0
  let faulty = states.length - 1
  while (faulty - clean > 1) {
    const middle = (clean + faulty) >> 1
    if (shows(states[middle] as State)) faulty = middle
    else clean = middle
  }
  return clean
}
