import type { Host } from './operation/context.ts'
import type { OptimizerApi } from './resources/agent-optimizations/run/optimizer-api.ts'
import {
  type OptimizationOutcome,
  type OptimizationRunInput,
  runOptimization,
} from './resources/agent-optimizations/run/run-optimization.ts'

/** Runs agent optimizations with the operations of an engine. A part of the design of an engine. */
export type Optimizer = (
  engine: { readonly api: OptimizerApi; readonly host: Host },
  input: OptimizationRunInput,
) => Promise<OptimizationOutcome>

export const optimizer: Optimizer = ({ api, host }, input) => runOptimization(api, host, input)
