import { createMemoryStorage } from '@halyard/storage-memory'
import { inProcess, operationConformance } from '@halyard/conformance'

const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport: inProcess })
// In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
await cases.find(({ group }) => group === 'getTeam')?.run()
await close()
