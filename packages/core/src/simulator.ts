import type { EngineOptions } from './operation/engine-options.ts'
import { logOrder } from './operation/log-order.ts'
import type { As } from './pipeline/authenticate.ts'
import { asFailure } from './pipeline/encode.ts'
import { rehearsing } from './pipeline/rehearsing.ts'
import type { WalkParts } from './pipeline/walk.ts'
import { simulateChange } from './resources/simulation/simulate.ts'
import type { Simulation } from './resources/simulation/simulation.ts'
import type { AccountStorage } from './storage/port.ts'

/** Tells what changes would do: part of an engine's design. */
export type Simulator = (engine: SimulatedEngine, change: unknown, as: As | undefined) => Promise<Simulation>

/** What a simulator takes of the engine that it simulates. */
export interface SimulatedEngine {
  readonly options: EngineOptions
  readonly storage: AccountStorage
  /** The engine's doors over another storage, which remember nothing. */
  partsOn(storage: AccountStorage, options: EngineOptions): WalkParts
}

/** Makes changes by the operations of the engine on a storage of which nothing is changed. */
export const simulator: Simulator = async ({ options, storage, partsOn }, change, as) => {
  const { host } = options
  // Nobody decides anything for real, and places in the change log are for entries that are written.
  const doorsOn = (glass: AccountStorage) => ({
    ...partsOn(glass, { ...options, decided: undefined }),
    order: logOrder(host),
  })
  try {
    return await simulateChange({ storage, host, rehearse: rehearsing(doorsOn, as) }, change)
  } catch (error) {
    throw asFailure(error, host, 'simulate', 'in-process')
  }
}
