import type { As, Engine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'

/** The engine, and the caller for whom a tool is called. */
export interface ToolCaller {
  readonly engine: Engine
  readonly as: As
}

/** A call of a tool. */
export interface ToolCall extends ToolCaller {
  readonly operation: Operation
  readonly input: Readonly<Record<string, unknown>>
}

/** Calls the operation as the session's caller. */
export function callOperation(call: ToolCall, further: object = {}): Promise<unknown> {
  return callById(call, call.operation.id, { ...call.input, ...further })
}

type Call = (input: object) => Promise<unknown>

/** Calls an operation whose id is known at run time only; the engine validates the input. */
export async function callById({ engine, as }: ToolCaller, id: string, input: object): Promise<unknown> {
  const call: unknown = Reflect.get(engine.as(as), id)
  if (typeof call !== 'function') throw new TypeError(`the engine does not have the operation ${id}`)
  return (call as Call)(input)
}
