import { adminToken, inProcessHarness, operationConformance, type TransportHarness } from '@halyard/conformance'
import { createEngine, type Engine } from '@halyard/core'
import type { Storage, StoredRecord } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storedCollections } from '../packages/core/src/resources/generated/stored-collections.ts'
import { everyStorage } from './setup/every-storage.ts'
import { isTest, root, sourcesUnder } from './source-imports.ts'

const storages = everyStorage()
const responseBodies: string[] = []

/** Records the body of every response. */
const recorded: TransportHarness = {
  name: 'recorded',
  async open(engine) {
    const client = await inProcessHarness.open(engine)
    return {
      async send(request) {
        const response = await client.send(request)
        responseBodies.push(response.body)
        return response
      },
      close: () => client.close(),
    }
  },
}

const engineOn = (storage: Storage): Engine => createEngine({ storage, rateLimit: false })

async function exportText(engine: Engine, secrets: boolean): Promise<string> {
  let text = ''
  for await (const piece of engine.export({ secrets })) text += piece
  return text
}

const storage = createMemoryStorage()
const account = operationConformance({ openStorage: async () => storage, transport: recorded, account: 'default' })

// Fills an account by calling every operation with its example.
beforeAll(async () => {
  for (const { name, run } of account.cases) if (name.startsWith('succeeds')) await run()
  const keys = Array.from({ length: 30_000 }, (_, i) => `user-${i}`)
  const set = { name: 'included', scope: 'proj/p1:env/production:segment/large' }
  await storage.account('default').commit([{ do: 'add-keys', set, keys }])
}, 120_000)

afterAll(async () => {
  await account.close()
})

it(`an account exported from memory to ${Object.keys(storages).reverse().join(' to ')} keeps the same bytes`, async () => {
  const exported = await exportText(engineOn(storage), true)
  const { records } = JSON.parse(exported.trimEnd().split('\n').at(-1) as string)
  for (const kind of ['document', 'member', 'sample']) expect(records[kind], kind).toBeGreaterThan(100)
  let text = exported
  for (const open of Object.values(storages).reverse()) {
    const target = await open()
    const engine = engineOn(target)
    expect((await engine.import([text])).records).toEqual(records)
    text = await exportText(engine, true)
    expect(text === exported, target.name).toBe(true)
  }
})

it('an import indexes the same fields as the operations that created the documents', async () => {
  const copy = createMemoryStorage()
  await engineOn(copy).import(engineOn(storage).export({ secrets: true }))
  const rowsOf = async (value: Storage) => {
    const rows: string[] = []
    for await (const chunk of value.account('default').dump()) rows.push(...chunk.map(rowOf))
    return rows.filter((row) => row !== '')
  }
  expect(await rowsOf(copy)).toEqual(await rowsOf(storage))
})

function rowOf(record: StoredRecord): string {
  return record.kind === 'document' ? JSON.stringify([record.id, record.fields]) : ''
}

/** Returns the texts of at least 16 characters that any response contains under one of these names. */
function valuesOf(...names: string[]): string[] {
  const values = responseBodies.flatMap((response) => [...response.matchAll(/"(\w+)":"([^"]{16,})"/g)])
  return [...new Set(values.filter(([, name]) => names.includes(name as string)).map(([, , value]) => value as string))]
}

it('an export without secrets contains no secret that a response showed and none that is stored', async () => {
  const text = await exportText(engineOn(storage), false)
  const returnedSecrets = valuesOf('token', 'apiKey', 'mobileKey', 'secret', '_clientSecret', 'clientSecret')
  expect(returnedSecrets.length).toBeGreaterThan(50)
  expect([adminToken, ...returnedSecrets].filter((secret) => text.includes(secret))).toEqual([])
  const stored: string[] = []
  for await (const chunk of storage.account('default').dump()) {
    for (const record of chunk) if (record.kind === 'document') stored.push(...secretsOf(record))
  }
  expect(stored.length).toBeGreaterThan(100)
  expect(stored.filter((secret) => text.includes(secret))).toEqual([])
})

function secretsOf({ id, body }: Extract<StoredRecord, { kind: 'document' }>): string[] {
  const names = storedCollections.find(({ name }) => name === id.collection)?.secrets ?? []
  const values = names.map((name) => (body as Record<PropertyKey, unknown>)[name])
  const texts = values.flatMap((value) =>
    typeof value === 'object' && value !== null ? Object.values(value) : [value],
  )
  const exported = id.collection === 'credential' ? [id.key] : []
  return [...exported, ...texts.filter((value): value is string => typeof value === 'string' && value.length > 8)]
}

it('an account imported without secrets serves requests on every storage', async () => {
  const text = await exportText(engineOn(storage), false)
  const exports: string[] = []
  for (const open of Object.values(storages)) {
    const target = await open()
    const engine = engineOn(target)
    const { token } = await engine.import([text])
    const { items } = await engine.api.listProjects({}, { as: token as string })
    expect(items.length).toBeGreaterThan(10)
    exports.push(await exportText(engine, false))
  }
  // The imported accounts differ only in tokens and SDK keys, and an export without secrets contains no tokens and no
  // SDK keys.
  for (const value of exports) expect(linesOf(value)).toEqual(linesOf(exports[0] as string))
})

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -2)
}

it('every collection is known to the export and has a rule for its secrets', async () => {
  const models = [...sourcesUnder('packages/core/src/models'), ...sourcesUnder('packages/core/src/resources')].filter(
    ({ file, code }) => {
      return !isTest(file) && / (documents <|revisionsOf \()/.test(` ${code}`)
    },
  )
  const names = new Set<string>()
  for (const { file } of models) {
    const module: Record<string, unknown> = await import(`${root}/${file}`)
    for (const value of Object.values(module)) if (isCollection(value)) names.add(value.name)
  }
  expect(names.size).toBeGreaterThan(50)
  const storedNames = storedCollections.map(({ name }) => name)
  expect([...names].filter((name) => !storedNames.includes(name))).toEqual([])
  const withoutRule = storedCollections.filter(({ secrets, withoutSecrets }) => secrets.length > 0 && !withoutSecrets)
  expect(withoutRule.map(({ name }) => name)).toEqual([])
})

function isCollection(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'template' in value && 'changeActions' in value
}
