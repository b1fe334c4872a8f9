import { createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import pg from 'pg'
import { startPostgres } from '../../test/setup/postgres-server.ts'
import { type Comparison, compare, type Suite } from '../compare.ts'

const suite = 'growth'
const [few, many] = [1_000, 1_000_000]

/** Measures how the size of an account affects a call about one flag. */
export const growth: Suite = {
  name: suite,
  about:
    'One flag read, one patched, and one created and deleted, in an account of 1,000,000 flags; the peer is the same call in an account of 1,000 flags of the same database, in alternation. Postgres waits for the disk at every commit. Target: a ratio of at least 0.83.',
  async run() {
    const server = await startPostgres({ durable: true })
    const pool = new pg.Pool({ ...server.connection, max: 4 })
    pool.on('error', () => {})
    try {
      return await measure(pool)
    } finally {
      await pool.end()
      await server.stop()
    }
  },
}

async function measure(pool: pg.Pool): Promise<Comparison[]> {
  const small = await fillAccount(pool, 'small', few)
  const large = await fillAccount(pool, 'large', many)
  await pool.query('vacuum analyze')
  const name = `${few} flags`
  return [
    await compare({ suite, case: 'getFlag', ours: large.get, peer: { name, run: small.get } }),
    await compare({ suite, case: 'patchFlag', ours: large.patch, peer: { name, run: small.patch } }),
    await compare({
      suite,
      case: 'createFlag and deleteFlag',
      ours: large.createAndDelete,
      peer: { name, run: small.createAndDelete },
    }),
  ]
}

/** Creates an account with this number of flags: an engine creates one, and one statement copies it. */
async function fillAccount(pool: pg.Pool, account: string, flags: number) {
  const engine = createEngine({ storage: createPostgresStorage({ pool }), account, rateLimit: false })
  await engine.migrate()
  const as = { as: (await engine.bootstrap())?.token as string }
  const keys = { projectKey: 'web', flagKey: 'f' }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'Flag', tags: ['shop'] } }, as)
  const { rowCount } = await pool.query(
    `insert into halyard.documents (account, collection, scope, key, version, body, fields)
      select account, collection, scope, 'f' || i, version, replace(body, '"key":"f"', '"key":"f' || i || '"'),
        fields || jsonb_build_object('key', 'f' || i)
      from halyard.documents, generate_series(2, $2::int) i
      where account = $1 and collection = 'flag' and key = 'f'`,
    [account, flags],
  )
  if (rowCount !== flags - 1) throw new Error(`${rowCount} flags were copied`)
  let patchCount = 0
  return {
    // `async`, because tinybench calls other functions once without waiting for them, and the next patch would conflict.
    get: async () => engine.api.getFlag(keys, as),
    patch: async () =>
      engine.api.patchFlag({ ...keys, body: [{ op: 'replace', path: '/name', value: `Flag ${patchCount++}` }] }, as),
    async createAndDelete() {
      await engine.api.createFlag({ projectKey: 'web', body: { key: 'passing', name: 'Passing' } }, as)
      await engine.api.deleteFlag({ projectKey: 'web', flagKey: 'passing' }, as)
    },
  }
}
