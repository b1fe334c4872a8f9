import { inProcessHarness, operationConformance } from '@halyard/conformance'
import { createSqliteStorage, type SqliteConnection } from '@halyard/storage-sqlite'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'

const database = new Database(':memory:') as unknown as SqliteConnection & { close(): void }
const texts = new Set<string>()

/** The connection, which also records the text of each statement. */
const recorded: SqliteConnection = {
  exec: (text) => database.exec(text),
  prepare(text) {
    texts.add(text)
    return database.prepare(text)
  },
}

const account = operationConformance({
  openStorage: async () => createSqliteStorage({ database: recorded }),
  transport: inProcessHarness,
})

beforeAll(async () => {
  // The statements that create the schema read all records, so they are not sent over the recorded connection.
  await createSqliteStorage({ database }).migrate()
  for (const { name, run } of account.cases) if (name.startsWith('succeeds')) await run()
}, 120_000)
afterAll(async () => {
  await account.close()
  database.close()
})

/** The condition of statements that are about a collection in all scopes. */
const inAllScopes = /\band 1\b/

/**
 * Returns the steps of a plan that read all records, all of an account, or a collection in more scopes than the query
 * requests.
 */
function readsOfEverything(text: string): readonly string[] {
  const tooWide = inAllScopes.test(text) ? /\(account=\?\)/ : /\(account=\?( AND collection=\?)?\)/
  const values = [...text.matchAll(/\?/g)].map(() => 'x')
  const plan = database.prepare(`explain query plan ${text}`).all(...values) as readonly { readonly detail: string }[]
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (halyard_\w+|[ds])(?! VIRTUAL TABLE)\b/.test(detail) || tooWide.test(detail))
}

it('every statement of the operations finds its records by more conditions than their account', () => {
  const statements = [...texts].filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text))
  const fullReads = statements
    .map((text) => [text, readsOfEverything(text)] as const)
    .filter(([, reads]) => reads.length > 0)
  expect(statements.length).toBeGreaterThan(50)
  expect(fullReads).toEqual([])
})
