import type { Operation } from '@halyard/core/operations'
import { requestOf, type World } from './world.ts'

/** What stands around the engine: a case that examines neither needs to run over one of each only. */
export type Surrounding = 'storage' | 'transport'

/** One thing that holds for operations of a kind. */
export interface OperationCase {
  /** What besides the engine it examines. */
  readonly examines: readonly Surrounding[]
  run(world: World, operation: Operation): Promise<void>
}

/** A case that examines these. */
export function examining(examines: OperationCase['examines'], run: OperationCase['run']): OperationCase {
  return { examines, run }
}

/** A request of the operation that succeeds. */
export async function requestFor(world: World, operation: Operation) {
  return requestOf(operation, await world.exampleOf(operation))
}
