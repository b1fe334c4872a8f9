import { storageConformance } from '@halyard/conformance'
import { createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CountedPool, type CountedStatement, countedPool } from './setup/counted-pool.ts'
import { postgresStorages, uniqueSchema } from './setup/postgres-storages.ts'

const storages = postgresStorages()
const schema = uniqueSchema()
const pool: CountedPool = countedPool(storages.pool)
const storage = createPostgresStorage({ pool, schema })

/** Groups about scale, or that close the storage; they send no statement that the others do not. */
const apart: ReadonlySet<string> = new Set(['scale', 'lifecycle', 'watching', 'watching a second storage'])

/** Tables that contain rows of every account; `migrations` is shared by all. */
let tables: readonly string[] = []
let sent: readonly CountedStatement[] = []

beforeAll(async () => {
  await storage.migrate()
  const { rows } = await storages.pool.query(`select tablename from pg_tables where schemaname = $1`, [schema])
  tables = rows.map(({ tablename }) => tablename).filter((name) => name !== 'migrations')
  const { statements } = await pool.during(async () => {
    for (const { group, run } of storageConformance({ open: async () => storage })) {
      if (!apart.has(group)) await run()
    }
    await callOperations()
  })
  sent = statements.filter(({ text }) => text.includes(schema))
}, 180_000)

afterAll(async () => {
  await storage.close()
  await storages.pool.query(`drop schema if exists "${schema}" cascade`)
  await storages.dispose()
})

async function callOperations(): Promise<void> {
  const engine = createEngine({ storage, rateLimit: false })
  const as = { as: (await engine.bootstrap())?.token as string }
  const place = { projectKey: 'p', environmentKey: 'production' }
  await engine.api.createProject({ body: { key: 'p', name: 'P' } }, as)
  await engine.api.createFlag({ projectKey: 'p', body: { key: 'f', name: 'F' } }, as)
  await engine.api.patchFlag(
    { projectKey: 'p', featureFlagKey: 'f', body: [{ op: 'replace', path: '/name', value: 'G' }] },
    as,
  )
  await engine.api.createSegment({ ...place, body: { key: 's', name: 'S' } }, as)
  await engine.api.listWebhooks({}, as)
  await engine.api.deleteProject({ projectKey: 'p' }, as)
}

/** Returns the number of table references in a statement, and the accounts that its filters restrict them to. */
function guarded({ text, values }: CountedStatement) {
  const named = text.match(new RegExp(`"${schema}"\\.(${tables.join('|')})\\b`, 'g')) ?? []
  const guards = [...text.matchAll(/account = \$(\d+)|\(account, [^)]*\)\s+(?:select |values \()\$(\d+)/g)]
  const accounts = guards.map(([, compared, written]) => values[Number(compared ?? written) - 1])
  // A part that joins another part of the statement is restricted to the same account.
  const following = text.match(/\.account = s\.account|\(account, [^)]*\)\s+select distinct s\.account/g) ?? []
  return { named: named.length, accounts: [...accounts, ...following.map(() => accounts[0])] }
}

describe('sharding of the schema by account', () => {
  it('each table occurs in a statement', () => {
    const unnamed = tables.filter((table) => !sent.some(({ text }) => text.includes(`"${schema}".${table}`)))
    expect(unnamed).toEqual([])
    expect(sent.length).toBeGreaterThan(1_000)
  })

  it('each statement restricts every table to one account', () => {
    const loose = sent.filter((one) => {
      const { named, accounts } = guarded(one)
      return named === 0
        ? !/\.settle\(|^(un)?listen /.test(one.text)
        : accounts.length !== named || new Set(accounts).size !== 1
    })
    expect(loose.map(({ text }) => text)).toEqual([])
  })

  it('the check reports a statement with an unrestricted table', () => {
    const text = `select 1 from "${schema}".tasks t join "${schema}".documents d on d.key = t.id where t.account = $1`
    const { named, accounts } = guarded({ text, values: ['acme'], rows: 0 })
    expect([named, accounts]).toEqual([2, ['acme']])
  })

  it('each unique index begins with the account', async () => {
    const { rows } = await storages.pool.query(
      `select c.relname as table, i.indexrelid::regclass::text as index,
        (select attname from pg_attribute where attrelid = i.indrelid and attnum = i.indkey[0]) as first
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and i.indisunique`,
      [schema],
    )
    expect(rows.filter(({ table, first }) => table !== 'migrations' && first !== 'account')).toEqual([])
    expect(new Set(rows.map(({ table }) => table))).toEqual(new Set([...tables, 'migrations']))
  })

  it('each other index begins with the account', async () => {
    const { rows } = await storages.pool.query(`select indexdef from pg_indexes where schemaname = $1`, [schema])
    const others = rows.filter(({ indexdef }) => !/ ON \S+\.migrations /.test(indexdef))
    expect(others.filter(({ indexdef }) => !/\(account, /.test(indexdef))).toEqual([])
  })
})
