import type { Audience, Selects } from '../operation/audience.ts'
import { fail } from '../operation/errors.ts'
import type { Rehearse } from '../operation/rehearse.ts'
import type { AccountStorage, Sample } from '../storage/port.ts'
import type { As } from './authenticate.ts'
import { resourceOf } from './authority.ts'
import { callInProcess, type WalkParts } from './walk.ts'

/**
 * Makes what calls operations on other storages than the engine's own, for one caller.
 *
 * @param partsOn all that the doors need, over a storage, with nothing remembered of the engine's own.
 */
export function rehearsing(partsOn: (storage: AccountStorage) => WalkParts, as: As | undefined): Rehearse {
  return async (storage, id, input) => {
    const parts = partsOn(storage)
    const operation = parts.table.operations.find((one) => one.id === id)
    if (!operation) return fail('internal_error', { message: `${id}: this engine was made without it` })
    const heard = listening(parts.audience)
    const answer = await callInProcess({ ...parts, audience: heard.audience }, operation, input, { as })
    const caller = await parts.authenticator.fromHost(as)
    return {
      answer,
      wire: parts.wire,
      entry: heard.entry,
      selects: heard.selects,
      async allowed(action, collection, keys, document) {
        const decision = parts.authority.decide(caller, action, resourceOf(caller, collection, keys, document))
        return (await decision).allowed
      },
    }
  }
}

/** The same audience, and what it was told. */
function listening(audience: Audience) {
  const heard: { entry: Sample | undefined; selects: Selects } = { entry: undefined, selects: async () => false }
  return Object.assign(heard, {
    audience: ((reads) => {
      const tell = audience(reads)
      return (tx, entry, selects) => {
        Object.assign(heard, { entry, selects })
        return tell(tx, entry, selects)
      }
    }) satisfies Audience,
  })
}
