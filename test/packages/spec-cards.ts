import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { specOperations } from '../spec/spec-operations.ts'

/** The names by which `@halyard/core/operations` exports the operations of spec.md. */
export function cardNamesOfSpec(): string[] {
  const { operations } = createEngine({ storage: createMemoryStorage() })
  return specOperations.map(({ method, path }) => {
    const same = operations.find(
      (one) => one.method === method && one.path.replace(/\{\w+\}/g, '') === path.replace(/\{\w+\}/g, ''),
    )
    if (!same) throw new Error(`no operation at ${method} ${path}`)
    return same.id
  })
}
