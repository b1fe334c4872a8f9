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

/**
 * Groups of cases about scale, and groups that close the storage. They send only statements that other groups send too.
 */
const excludedGroups: ReadonlySet<string> = new Set(['scale', 'lifecycle', 'watching', 'watching a second storage'])

/** Tables that contain rows of every account; `migrations` is shared by all. */
let tables: readonly string[] = []
let sent: readonly CountedStatement[] = []

beforeAll(async () => {
  await storage.migrate()
  const { rows } = await storages.pool.query(`select tablename from pg_tables where schemaname = $1`, [schema])
  tables = rows.map(({ tablename }) => tablename).filter((name) => name !== 'migrations')
  const { statements } = await pool.during(async () => {
    for (const { group, run } of storageConformance({ open: async () => storage })) {
      if (!excludedGroups.has(group)) await run()
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
  const environmentKeys = { projectKey: 'p', environmentKey: 'production' }
  await engine.api.createProject({ body: { key: 'p', name: 'P' } }, as)
  await engine.api.createFlag({ projectKey: 'p', body: { key: 'f', name: 'F' } }, as)
  await engine.api.patchFlag(
    { projectKey: 'p', flagKey: 'f', body: [{ op: 'replace', path: '/name', value: 'G' }] },
    as,
  )
  await engine.api.createSegment({ ...environmentKeys, body: { key: 's', name: 'S' } }, as)
  await engine.api.listWebhooks({}, as)
  await engine.api.deleteProject({ projectKey: 'p' }, as)
}

/** Returns the number of table references in a statement, and the accounts that its filters restrict them to. */
function accountFilters({ text, values }: CountedStatement) {
  const tableCount = text.match(new RegExp(`"${schema}"\\.(${tables.join('|')})\\b`, 'g')) ?? []
  const filters = [...text.matchAll(/account = \$(\d+)|\(account, [^)]*\)\s+(?:select |values \()\$(\d+)/g)]
  const accounts = filters.map(([, compared, written]) => values[Number(compared ?? written) - 1])
  // Functions of the schema that read tables take the account as a parameter.
  const called = [...text.matchAll(/\.list_matching\(\$(\d+), |\.sweep\(.*, \$(\d+), \$\d+::jsonb\)/gs)]
  accounts.push(...called.map(([, listed, swept]) => values[Number(listed ?? swept) - 1]))
  // A part that joins another part of the statement is restricted to the same account.
  const joined = text.match(/\.account = s\.account|\(account, [^)]*\)\s+select distinct s\.account/g) ?? []
  return { tableCount: tableCount.length + called.length, accounts: [...accounts, ...joined.map(() => accounts[0])] }
}

describe('sharding of the schema by account', () => {
  it('each table occurs in a statement', () => {
    const unusedTables = tables.filter((table) => !sent.some(({ text }) => text.includes(`"${schema}".${table}`)))
    expect(unusedTables).toEqual([])
    expect(sent.length).toBeGreaterThan(1_000)
  })

  it('each statement restricts every table to one account', () => {
    const unrestricted = sent.filter((statement) => {
      const { tableCount, accounts } = accountFilters(statement)
      return tableCount === 0
        ? !/\.settle\(|^(un)?listen /.test(statement.text)
        : accounts.length !== tableCount || new Set(accounts).size !== 1
    })
    expect(unrestricted.map(({ text }) => text)).toEqual([])
  })

  it('each query of a function restricts its table to the account, or to hashes that contain it', async () => {
    const { rows } = await storages.pool.query(
      'select proname as name, prosrc as source from pg_proc where pronamespace = $1::regnamespace',
      [schema],
    )
    const queries = rows.flatMap(({ name, source }) => {
      const parts: string[] = source.split(new RegExp(`(?="${schema}"\\.(?:${tables.join('|')})\\b)`))
      return parts.slice(1).map((query) => ({ name, query }))
    })
    expect(new Set(queries.map(({ name }) => name))).toEqual(
      new Set(['scopes_under', 'list_matching', 'discard_matching', 'clear_scope', 'sweep']),
    )
    const restriction = /^\S+( d)?(\s+set asleep = false)?\s+where (asleep and )?(d\.)?account = owner\b/
    const hashed =
      /^\S+ d\s+where "\w+"\.document_terms\(d\.account, d\.collection, d\.scope, d\.key, d\.fields\) && hashes\b/
    expect(queries.filter(({ query }) => !restriction.test(query) && !hashed.test(query))).toEqual([])
    expect(queries.filter(({ query }) => restriction.test(query)).length).toBeGreaterThan(20)
  })

  it('the check reports a statement with an unrestricted table', () => {
    const text = `select 1 from "${schema}".tasks t join "${schema}".documents d on d.key = t.id where t.account = $1`
    const { tableCount, accounts } = accountFilters({ text, values: ['acme'], rows: 0 })
    expect([tableCount, accounts]).toEqual([2, ['acme']])
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
    const accountIndexes = rows.filter(({ indexdef }) => !/ ON \S+\.migrations /.test(indexdef))
    expect(accountIndexes.filter(({ indexdef }) => !/\(account, /.test(indexdef))).toEqual([])
  })
})
