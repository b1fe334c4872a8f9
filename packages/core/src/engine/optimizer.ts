import type { Host } from '../operation/context.ts'
import type { OptimizerApi } from '../resources/agent-optimizations/run/optimizer-api.ts'
import {
  type OptimizationOutcome,
  type OptimizationRunInput,
  runOptimization,
} from '../resources/agent-optimizations/run/run-optimization.ts'

/** The parts of an engine that an optimizer uses. */
export interface OptimizedEngine {
  /** The operations of the engine as functions of the caller of the run. */
  readonly api: object
  readonly host: Host
}

/** Runs agent optimizations with the operations of an engine. A part of the design of an engine. */
export type Optimizer = (engine: OptimizedEngine, input: OptimizationRunInput) => Promise<OptimizationOutcome>

/** Runs agent optimizations with the operations of AI configs and optimizations, which the engine must have. */
export const optimizer: Optimizer = ({ api, host }, input) => runOptimization(api as OptimizerApi, host, input)
