import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Storage } from '@halyard/core/storage'
import { storageConformance } from '@halyard/conformance'
import { afterAll, describe, it } from 'vitest'
import { createFileStorage } from './file-storage.ts'

const directories = new Map<Storage, string>()
afterAll(() =>
  Promise.all([...directories.values()].map((directory) => rm(directory, { recursive: true, force: true }))),
)

async function openAt(directory: string): Promise<Storage> {
  const storage = createFileStorage(directory)
  directories.set(storage, directory)
  await storage.migrate()
  return storage
}

describe('the file storage', () => {
  const cases = storageConformance({
    open: async () => openAt(await mkdtemp(path.join(tmpdir(), 'halyard-'))),
    async reopen(storage) {
      await storage.close()
      return openAt(directories.get(storage) as string)
    },
    watchUnsupportedReason: 'a file does not notify processes of changes',
  })
  // The cases of the group `scale` take seconds, because this storage sorts every list again.
  const selectedCases = cases.filter(({ group }) => group !== 'scale' || process.env.HALYARD_LONG_TESTS === '1')
  for (const { group, name, run } of selectedCases) it(`${group}: ${name}`, run, 60_000)
})
