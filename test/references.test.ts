import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { parseAddress } from '@halyard/core/policy'
import type { StoredRecord } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Example, ExampleContext } from '../packages/conformance/src/operations/example.ts'
import { examples } from '../packages/conformance/src/operations/examples/index.ts'
import { requestOf, settings } from '../packages/conformance/src/operations/operation-fixture.ts'
import { inProcessHarness } from '../packages/conformance/src/transport/in-process-harness.ts'
import { adminToken } from '../packages/conformance/src/transport/seeded-engine.ts'
import { allReferences } from '../packages/core/src/resources/references/all-references.ts'
import { storedReferences } from '../packages/core/src/resources/references/test/reference-account.ts'

type DocumentRecord = Extract<StoredRecord, { kind: 'document' }>

/** Calls every operation with its example in one account, with `visit` after each call. Returns all records. */
async function callAllExamples(visit: (records: readonly StoredRecord[], operation: Operation) => void) {
  const storage = createMemoryStorage()
  const account = storage.account('default')
  let now = Date.UTC(2026, 0, 2)
  const engine = createEngine({ ...settings, storage, clock: () => now++, rateLimit: false })
  await engine.bootstrap({ token: adminToken })
  const client = await inProcessHarness.open(engine)
  const operations = new Map((await engine.definitions()).map((operation) => [operation.id, operation]))
  let count = 0
  const context: ExampleContext = {
    newKey: () => `thing-${count++}`,
    async call<Body>(id: string, input?: Example) {
      const operation = operations.get(id) as Operation
      const example = input ?? (await examples[id]?.(context)) ?? {}
      const response = await client.send(requestOf(operation, example))
      expect(response.status, `${id}: ${response.body}`).toBe(operation.success.status)
      return (response.body.startsWith('{') ? JSON.parse(response.body) : {}) as Body
    },
  }
  const all = new Map<string, StoredRecord>()
  for (const operation of engine.operations) {
    await context.call(operation.id)
    if (operation.method === 'GET') continue
    const records: StoredRecord[] = []
    for await (const batch of account.dump()) records.push(...batch)
    visit(records, operation)
    for (const record of records) if (record.kind === 'document') all.set(JSON.stringify(record.id), record)
  }
  return [...all.values()]
}

/** Properties whose names suggest that they contain keys or ids. */
const namesReferences = /(Key|Keys|Id|Ids|IDs|ID|Config|Segment|customRoles|teams|members)$/

/** Properties that do not contain references, although keys of documents occur in them, with the reasons. */
const otherNames: Readonly<Record<string, string>> = {
  'release-policy scope.flagTagKeys': 'tags',
}

/** Returns the texts in a document by the path of their property, without the indexes of lists. */
function textsIn(value: unknown, path: readonly string[] = []): (readonly [string, string])[] {
  if (typeof value === 'string') return [[path.join('.'), value]]
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, [...path, name]))
}

describe('the references of everything that the examples of all operations store', () => {
  const dangling = new Set<string>()
  let records: readonly DocumentRecord[] = []

  beforeAll(async () => {
    const all = await callAllExamples((current, operation) => {
      for (const { row, referrer, target, exists } of storedReferences(current)) {
        if (!exists) dangling.add(`${operation.id}: ${referrer} refers by ${row.property} to ${target}`)
      }
    })
    records = all.filter((record) => record.kind === 'document')
  }, 60_000)

  it('lead to documents that exist', () => {
    expect([...dangling]).toEqual([])
  })

  it('are all in the table', () => {
    const keysOfDocuments = new Set(records.map(({ id }) => id.key))
    const isKey = (text: string) => text !== '' && keysOfDocuments.has(text)
    const declared = new Set(
      allReferences.flatMap(({ from, property, otherProperties = [] }) =>
        [property, ...otherProperties].map((path) => `${from.name} ${path}`),
      ),
    )
    const references = records.flatMap(({ id, body }) => {
      // A property that repeats a key of the document's own address refers to a resource that contains the document.
      // Both are deleted together.
      const ownKeys = new Set([id.key, ...(parseAddress(id.scope) ?? []).map(({ key }) => key)])
      return textsIn(body)
        .filter(([path, text]) => namesReferences.test(path) && isKey(text) && !ownKeys.has(text))
        .map(([path]) => `${id.collection} ${path}`)
    })
    const undeclared = [...new Set(references)].filter((name) => !declared.has(name) && !(name in otherNames)).sort()
    expect(undeclared).toEqual([])
  })
})
