import { createMemoryStorage } from '@halyard/storage-memory'
import { storageConformance } from '@halyard/conformance'

const cases = storageConformance({ open: async () => createMemoryStorage() })
// In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
await cases.find(({ group }) => group === 'documents')?.run()
console.log(cases.length > 100) // true
