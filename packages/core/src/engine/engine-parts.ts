import type { EngineDesign } from '../engine-design.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { Operation } from '../operation/operation.ts'
import type { EngineCaches } from '../pipeline/caching/engine-caches.ts'
import type { RequestPipeline } from '../pipeline/request-pipeline.ts'
import type { Evaluators } from '../resources/evaluation/evaluators.ts'
import type { SdkEndpoints } from '../resources/sdk-endpoints/sdk-endpoints.ts'
import type { AccountStorage } from '../storage/port.ts'
import type { BackgroundWork } from './background-work.ts'
import type { PastStates } from './past-states.ts'

/** The parts from which the functions of an engine are made. */
export interface EngineParts<O extends Operation> {
  readonly design: EngineDesign<O>
  readonly options: EngineOptions
  readonly storage: AccountStorage
  readonly caches: EngineCaches
  readonly pipeline: RequestPipeline
  readonly evaluators: Evaluators
  readonly past: PastStates
  readonly backgroundWork: BackgroundWork | undefined
  readonly sdk: SdkEndpoints
}
