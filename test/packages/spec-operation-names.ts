import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { specOperations } from '../spec/spec-operations.ts'

/** The names by which `@halyard/core/operations` exports the operations of the specification. */
export function specOperationNames(): string[] {
  const { operations } = createEngine({ storage: createMemoryStorage() })
  return specOperations.map(({ method, path }) => {
    const match = operations.find(
      (operation) =>
        operation.method === method && operation.path.replace(/\{\w+\}/g, '') === path.replace(/\{\w+\}/g, ''),
    )
    if (!match) throw new Error(`no operation at ${method} ${path}`)
    return match.id
  })
}
