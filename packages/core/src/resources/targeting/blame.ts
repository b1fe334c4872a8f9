import { fail } from '../../operation/errors.ts'
import type { VariationNames } from './instruction.ts'

/** How an instruction ends its operation: naming its own index. */
export function refuseAt(index: number): VariationNames['refuse'] {
  return (attribute, reason) =>
    fail('invalid_request', { errors: [{ attribute: `instructions.${index}.${attribute}`, reason }] })
}

/**
 * Index of an instruction before which a problem does not show and after which it does; by halves, as looking is dear.
 *
 * @param states the one before the first instruction, then the one after each.
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
