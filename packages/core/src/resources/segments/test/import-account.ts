import type { As } from '../../../index.ts'
import { keysOf, segmentAccount } from './segment-account.ts'

export const linesOf = (keys: readonly string[]) => keys.map((key) => `${key}\n`).join('')

/** Returns a file whose pieces the test provides one by one. */
export function dripping() {
  const waiting: string[] = []
  let wake = () => {}
  let asked = () => {}
  let over: unknown
  async function* pieces(): AsyncGenerator<string> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() as string
      if (over === true) return
      if (over) throw over
      asked()
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return {
    file: pieces(),
    /** Provides a piece, and resolves once the reader requests the next one. */
    give: (piece: string) => {
      waiting.push(piece)
      const taken = new Promise<void>((resolve) => (asked = resolve))
      wake()
      return taken
    },
    end: (how: unknown = true) => {
      over = how
      wake()
    },
  }
}

export async function bigAccount(more: object = {}) {
  const account = await segmentAccount()
  await account.create('big', { unbounded: true, ...more })
  const { api, as, storage } = account
  const set = (name: string, scope = 'proj/web:env/production:segment/big') => ({ name, scope })
  return {
    ...account,
    upload: (file: string | AsyncIterable<string>, fields: object = {}, by: As = as, segmentKey = 'big') =>
      api.createBigSegmentImport({ ...keysOf(segmentKey), body: { file, ...fields } }, { as: by }),
    keys: () => storage.pageKeys(set('included'), { limit: 100_000 }),
    exclude: (...keys: string[]) =>
      api.updateBigSegmentTargets({ ...keysOf('big'), body: { excluded: { add: keys } } }, { as }),
    metadata: async (key = 'big') => (await account.get(key))._unboundedMetadata,
    isImporting: async (key = 'big') => (await account.get(key))._importInProgress,
    /** Returns the number of stored staged keys of an import. */
    staged: (importId: string, segmentKey = 'big') =>
      storage.countKeys(set('staged', `proj/web:env/production:segment/${segmentKey}:import/${importId}`)),
    idOfImport: async () => (await turn(account))?.importId as string,
  }
}

async function turn({ storage }: Awaited<ReturnType<typeof segmentAccount>>) {
  const scope = 'proj/web:env/production'
  const found = await storage.get({ collection: 'segment-import-turn', scope, key: 'only' })
  return found?.body as { importId: string } | undefined
}
