import type { EngineOptions } from '../operation/engine-options.ts'
import type { MomentInput, MomentName } from '../resources/past/moment.ts'
import type { PastState, PastStorages } from '../resources/past/past-storages.ts'
import type { AccountStorage } from '../storage/port.ts'

/** The states of an engine's account in the past. */
export interface PastStates {
  /** Returns the state at a moment. `name` is the name of the moment in error messages. */
  at(moment: MomentInput, name: MomentName): PastState
  /** Clears the data that was read. */
  clear(): void
}

/** Makes the states of an account. Nothing is read before the first use. */
export function pastStates(
  pastStorages: PastStorages | undefined,
  storage: AccountStorage,
  { host }: EngineOptions,
): PastStates {
  let stateAt: ReturnType<PastStorages> | undefined
  return {
    at(moment, name) {
      if (!pastStorages) throw new Error('pastStorages: this engine was made without it')
      stateAt ??= pastStorages(storage)
      return stateAt(moment, host.now(), name)
    },
    clear() {
      stateAt = undefined
    },
  }
}
