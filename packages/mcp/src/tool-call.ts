import type { As, Engine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'

/** A call of a tool. */
export interface ToolCall {
  readonly engine: Engine
  readonly as: As
  readonly operation: Operation
  readonly input: Readonly<Record<string, unknown>>
}

/** Calls the operation as the session's caller. */
export function callOperation(
  { engine, as, operation: { id }, input }: ToolCall,
  further: object = {},
): Promise<unknown> {
  // Cast: the operation is found at run time; the engine validates the input.
  const api = engine.as(as) as unknown as Readonly<Record<string, (input: object) => Promise<unknown>>>
  const call = api[id]
  if (!call) throw new TypeError(`the engine does not have the operation ${id}`)
  return call({ ...input, ...further })
}
