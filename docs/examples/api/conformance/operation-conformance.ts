import { createMemoryStorage } from '@halyard/storage-memory'
import { inProcessHarness, operationConformance } from '@halyard/conformance'

const { cases, close } = operationConformance({
  openStorage: async () => createMemoryStorage(),
  transport: inProcessHarness,
})
// In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
await cases.find(({ group }) => group === 'getTeam')?.run()
await close()
