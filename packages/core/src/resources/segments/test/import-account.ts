import type { As } from '../../../index.ts'
import { keysOf, segmentAccount } from './segment-account.ts'

export const linesOf = (keys: readonly string[]) => keys.map((key) => `${key}\n`).join('')

/** Returns a file whose pieces the test provides one by one. */
export function controlledFile() {
  const queued: string[] = []
  let wake = () => {}
  let onNextRead = () => {}
  let ended: unknown
  async function* pieces(): AsyncGenerator<string> {
    for (;;) {
      while (queued.length > 0) yield queued.shift() as string
      if (ended === true) return
      if (ended) throw ended
      onNextRead()
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return {
    file: pieces(),
    /** Provides a piece, and resolves once the reader requests the next one. */
    give: (piece: string) => {
      queued.push(piece)
      const taken = new Promise<void>((resolve) => (onNextRead = resolve))
      wake()
      return taken
    },
    end: (result: unknown = true) => {
      ended = result
      wake()
    },
  }
}

export async function bigAccount(overrides: object = {}) {
  const account = await segmentAccount()
  await account.create('big', { unbounded: true, ...overrides })
  const { api, as, storage } = account
  const set = (name: string, scope = 'proj/web:env/production:segment/big') => ({ name, scope })
  return {
    ...account,
    upload: (file: string | AsyncIterable<string>, fields: object = {}, caller: As = as, segmentKey = 'big') =>
      api.createBigSegmentImport({ ...keysOf(segmentKey), body: { file, ...fields } }, { as: caller }),
    keys: () => storage.pageKeys(set('included'), { limit: 100_000 }),
    exclude: (...keys: string[]) =>
      api.updateBigSegmentTargets({ ...keysOf('big'), body: { excluded: { add: keys } } }, { as }),
    metadata: async (key = 'big') => (await account.get(key))._unboundedMetadata,
    isImporting: async (key = 'big') => (await account.get(key))._importInProgress,
    /** Returns the number of stored staged keys of an import. */
    staged: (importId: string, segmentKey = 'big') =>
      storage.countKeys(set('staged', `proj/web:env/production:segment/${segmentKey}:import/${importId}`)),
    idOfImport: async () => (await readImportLock(account))?.importId as string,
  }
}

async function readImportLock({ storage }: Awaited<ReturnType<typeof segmentAccount>>) {
  const scope = 'proj/web:env/production'
  const row = await storage.get({ collection: 'segment-import-turn', scope, key: 'only' })
  return row?.body as { importId: string } | undefined
}
