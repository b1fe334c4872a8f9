import { createMemoryStorage } from '@halyard/storage-memory'

const createMyStorage = createMemoryStorage

/** The test runner of this example runs the first test only. */
let first: (() => Promise<void>) | undefined
const it = (_title: string, run: () => Promise<void>) => {
  first ??= run
}

// #region suite
import { storageConformance } from '@halyard/conformance'

const cases = storageConformance({
  async open() {
    const storage = createMyStorage()
    await storage.migrate()
    return storage
  },
})
for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
// #endregion
await first?.()
console.log(first !== undefined)
