import type { Operation } from '@halyard/core/operations'
import { type OperationFixture, requestOf } from './operation-fixture.ts'

/** The adapters around the engine. A case that covers neither needs to run with only one of each. */
export type AdapterKind = 'storage' | 'transport'

/** One rule for operations of a kind. */
export interface OperationCase {
  /** The adapters that the case covers in addition to the engine. */
  readonly covers: readonly AdapterKind[]
  run(fixture: OperationFixture, operation: Operation): Promise<void>
}

/** Defines a case that covers these adapters. */
export function defineCase(covers: OperationCase['covers'], run: OperationCase['run']): OperationCase {
  return { covers, run }
}

/** Returns a request of the operation that succeeds. */
export async function requestFor(fixture: OperationFixture, operation: Operation) {
  return requestOf(operation, await fixture.exampleOf(operation))
}
