import type { Operation } from '../operation/operation.ts'
import type { MatchedCall } from './call-state.ts'
import type { OperationTable } from './match.ts'

/**
 * Imports the definition of the operation, where the engine knows only what routes and rights need: `createEngine`
 * imports no definition before its first call. When the import fails, the call fails, and the next one imports again.
 */
export function loadDefinition<C extends MatchedCall>(
  { table }: { readonly table: OperationTable },
  call: C,
): C | Promise<C> {
  const { operation } = call
  if (!operation.load) return call
  const definition = operation.load()
  if (!(definition instanceof Promise) && !definition.undoes) return Object.assign(call, { operation: definition })
  return loadWithOthers(table, definition).then((loaded) => Object.assign(call, { operation: loaded }))
}

async function loadWithOthers(table: OperationTable, loading: Operation | Promise<Operation>): Promise<Operation> {
  const definition = await loading
  if (definition.undoes) await loadDefinitions(table)
  return definition
}

/** Imports the definitions of all operations of an engine. */
export async function loadDefinitions({ operations }: OperationTable): Promise<readonly Operation[]> {
  await Promise.all(operations.map((operation) => operation.load?.()))
  return operations
}
