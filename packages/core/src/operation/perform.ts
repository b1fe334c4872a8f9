import type { Caller } from './caller.ts'
import type { Operation } from './operation.ts'

/**
 * Runs a card that stands in no table: something that the engine does by itself when its time has come. It walks through
 * the last door like every call, so that rights are asked and the change log is written.
 *
 * @throws ApiError as the call itself would.
 */
export type Perform = (
  operation: Operation,
  caller: Caller,
  input: { readonly params: Readonly<Record<string, string>>; readonly body?: unknown },
) => Promise<unknown>

/** Who does what nobody asked for now. It has no rights: what it does follows from what others were allowed. */
export function systemCaller(name: string): Caller {
  const id = `system/${name}`
  return {
    id,
    memberId: undefined,
    tokenId: undefined,
    layers: [],
    grants: [],
    standing: undefined,
    roleAttributes: {},
  }
}
