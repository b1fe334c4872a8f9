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
export function callOperation({ engine, as, operation, input }: ToolCall, further: object = {}): Promise<unknown> {
  return callById(engine, as, operation.id, { ...input, ...further })
}

type Call = (input: object) => Promise<unknown>

/** Calls an operation whose id is known at run time only; the engine validates the input. */
export async function callById(engine: Engine, as: As, id: string, input: object): Promise<unknown> {
  const call: unknown = Reflect.get(engine.as(as), id)
  if (typeof call !== 'function') throw new TypeError(`the engine does not have the operation ${id}`)
  return (call as Call)(input)
}
