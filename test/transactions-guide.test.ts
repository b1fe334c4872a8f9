import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { addCustomers } from '../docs/examples/transactions/with-pglite.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { openPgliteClient } from './setup/pglite-client.ts'
import { uniqueSchema } from './setup/postgres-storages.ts'
import { root } from './source-imports.ts'

const examples = path.join(root, 'docs/examples/transactions')
const guide = readFileSync(path.join(root, 'docs/guide/transactions.md'), 'utf8')
const blocks = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text]) => text as string)
const withoutIndent = (text: string) => text.replaceAll(new RegExp(`^${/^ */.exec(text)?.[0]}`, 'gm'), '')
const regions = readdirSync(examples).flatMap((name) =>
  [
    ...readFileSync(path.join(examples, name), 'utf8').matchAll(/^ *\/\/ #region [^\n]*\n(.*?)^ *\/\/ #endregion$/gms),
  ].map(([, text]) => withoutIndent(text as string)),
)

describe('the guide to transactions', () => {
  const server = inject('postgres')
  const database = uniqueSchema()
  const administrator = new pg.Pool({ ...server, max: 1 })
  beforeAll(() => administrator.query(`create database ${database}`))
  afterAll(async () => {
    await administrator.query(`drop database ${database}`)
    await administrator.end()
  })

  /** Runs an example and returns its output. */
  async function run(file: string): Promise<string> {
    const { rows } = await administrator.query('show unix_socket_directories')
    const [socket] = String(rows[0].unix_socket_directories).split(',')
    const url = `postgresql://postgres@/${database}?host=${socket}`
    const { NODE_TEST_CONTEXT, NODE_OPTIONS, VITEST, ...rest } = process.env
    const env = { ...rest, DATABASE_URL: url, NO_COLOR: '1', FORCE_COLOR: '0' }
    const program = bundledProgram(`docs/examples/transactions/${file}`)
    const args = [...program.nodeOptions, program.file]
    return (await promisify(execFile)(process.execPath, args, { cwd: root, env })).stdout
  }

  it('shows only examples that are compiled and run', () => {
    expect(blocks.length).toBeGreaterThan(5)
    expect(blocks.filter((block) => !regions.includes(block))).toEqual([])
  })

  it('shows examples that work with pg, and then with Drizzle in the same database', async () => {
    expect(await run('with-pg.ts')).toBe('not this time\nFlags of acme\noptimistic_locking_error\nacme, second\n')
    expect(await run('with-drizzle.ts')).toBe(
      "Flags of globex\nthere is one already\n[ { name: 'acme' }, { name: 'second' }, { name: 'globex' } ]\n",
    )
  })

  it('shows an example that works with PGlite', async () => {
    const client = await openPgliteClient()
    await client.query('create table customers (name text primary key)')
    const consoleLog = vi.spyOn(console, 'log').mockImplementation(() => {})
    await addCustomers(client)
    expect(consoleLog.mock.calls).toEqual([['Flags of acme']])
    consoleLog.mockRestore()
    expect((await client.query('select name from customers')).rows).toEqual([{ name: 'acme' }])
    await client.close()
  })
})
