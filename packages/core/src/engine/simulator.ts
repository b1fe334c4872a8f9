import { LogOrder } from '../operation/change-log/change-log.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { As } from '../pipeline/authenticate.ts'
import { dryRun } from '../pipeline/dry-run.ts'
import { asFailure } from '../pipeline/encode.ts'
import type { RequestPipeline } from '../pipeline/request-pipeline.ts'
import { onlyFlags, type ServedContent } from '../resources/evaluation/served-content.ts'
import { simulateChange } from '../resources/simulation/simulate.ts'
import type { Simulation } from '../resources/simulation/simulation.ts'
import type { AccountStorage } from '../storage/port.ts'

/** Simulates the effects of a change. A part of the design of an engine. */
export type Simulator = (engine: SimulatedEngine, change: unknown, as: As | undefined) => Promise<Simulation>

/** The parts of an engine that a simulator uses. */
export interface SimulatedEngine {
  readonly options: EngineOptions
  readonly storage: AccountStorage
  /** The AI configs and agent graphs that the engine serves. Default: no AI configs and agent graphs. */
  readonly served?: ServedContent | undefined
  /** Returns the engine's pipeline over another storage, without caches. */
  pipelineOn(storage: AccountStorage, options: EngineOptions): RequestPipeline
}

/** Runs operations of the engine on a storage that discards all changes. */
export const simulator: Simulator = async ({ options, storage, served = onlyFlags, pipelineOn }, change, as) => {
  const { host } = options
  // Decisions of a simulation are not reported, and its entries get no positions in the engine's change log.
  const simulatedPipeline = (overlay: AccountStorage) => {
    const pipeline = pipelineOn(overlay, { ...options, onDecision: undefined })
    return { ...pipeline, commitMode: 'discarded' as const, order: new LogOrder(host) }
  }
  try {
    return await simulateChange({ storage, host, served, dryRun: dryRun(simulatedPipeline, as) }, change)
  } catch (error) {
    throw asFailure(error, host, 'simulate', 'in-process')
  }
}
