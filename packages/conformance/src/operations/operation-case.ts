import type { Operation } from '@halyard/core/operations'
import { type OperationFixture, requestOf } from './operation-fixture.ts'

/** The adapters around the engine. A case that tests no adapter runs with one storage and one transport only. */
export type AdapterKind = 'storage' | 'transport'

/** One rule for operations of a kind. */
export interface OperationCase {
  /** The adapters that the case covers in addition to the engine. */
  readonly covers: readonly AdapterKind[]
  /** True when no request of the case changes anything, so that such cases of an operation share one example. */
  readonly changesNothing?: boolean
  run(fixture: OperationFixture, operation: Operation): Promise<void>
}

/** Defines a case that covers these adapters. */
export function defineCase(covers: OperationCase['covers'], run: OperationCase['run']): OperationCase {
  return { covers, run }
}

/** Defines a case whose requests change nothing: each is refused, or only reads. */
export function defineUnchangingCase(covers: OperationCase['covers'], run: OperationCase['run']): OperationCase {
  return { covers, run, changesNothing: true }
}

/** Returns a request of the operation that succeeds. */
export async function requestFor(fixture: OperationFixture, operation: Operation) {
  return requestOf(operation, await fixture.exampleOf(operation))
}
