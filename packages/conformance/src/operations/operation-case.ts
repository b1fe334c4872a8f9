import type { Operation } from '@halyard/core/operations'
import { requestOf, type World } from './world.ts'

/** The adapters around the engine. A case that covers neither needs to run with only one of each. */
export type Surrounding = 'storage' | 'transport'

/** One rule for operations of a kind. */
export interface OperationCase {
  /** The adapters that the case covers in addition to the engine. */
  readonly examines: readonly Surrounding[]
  run(world: World, operation: Operation): Promise<void>
}

/** Defines a case that covers these adapters. */
export function examining(examines: OperationCase['examines'], run: OperationCase['run']): OperationCase {
  return { examines, run }
}

/** Returns a request of the operation that succeeds. */
export async function requestFor(world: World, operation: Operation) {
  return requestOf(operation, await world.exampleOf(operation))
}
