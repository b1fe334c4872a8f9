import type { EngineOptions } from '../operation/engine-options.ts'
import type { Operation } from '../operation/operation.ts'
import type { Writing } from './execute-parts.ts'

/**
 * Makes the parts that the writes of one engine need.
 *
 * @param operations the operations of the engine, which declare how changes are undone.
 */
export type MakeWriting = (
  operations: readonly Operation[],
  options: Pick<EngineOptions, 'exporters' | 'hooks' | 'host'>,
) => Writing | Promise<Writing>

/** An operation or a worker that writes. */
export interface Writes {
  readonly makeWriting: MakeWriting
}

/** Returns true when an operation or a worker contains the parts that its writes need. */
export function isWriting<Part extends object>(part: Part): part is Part & Writes {
  return 'makeWriting' in part
}
