import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { root } from './source-imports.ts'

const document = readFileSync(path.join(root, 'SECURITY.md'), 'utf8')
const threats = [...document.matchAll(/^\| ([A-Z][^|]+) \| ([^|]+) \| `([^`]+)` \|$/gm)].map(
  ([, threat, measure, test]) => ({ threat: threat as string, heldBy: measure, test: test as string }),
)

it('each threat in SECURITY.md names a file that contains tests', () => {
  const tableLines = document.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| threat'))
  expect(threats).toHaveLength(tableLines.length)
  expect(threats.length).toBeGreaterThan(20)
  const broken = threats.filter(({ test }) => {
    const text = readFileSync(path.join(root, test), 'utf8')
    // Conformance suites and their cases count as tests, because a test file runs each case.
    return !/\b(it|test|describe|operationConformance\w*|transportConformance\w*)\b[.(]|Cases\b/.test(text)
  })
  expect(broken).toEqual([])
})

it('tokens are stored as hashes: neither documents nor the change log contain their value', async () => {
  const storage = createMemoryStorage()
  await using engine = createEngine({ storage })
  const bootstrapResult = await engine.bootstrap()
  const as = bootstrapResult?.token as string
  const { token } = await engine.api.createToken({ body: { name: 'Mine', role: 'reader' } }, { as })
  expect(await engine.api.listTokens({}, { as: token as string })).toBeDefined()
  const stored: string[] = []
  for (const collection of ['credential', 'token', 'member']) {
    const page = await storage
      .account('default')
      .list({ collection, scope: '', deep: true, limit: 100, select: 'bodies' })
    expect(page.items.length).toBeGreaterThan(0)
    stored.push(JSON.stringify(page))
  }
  const log = await storage.account('default').newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1000 })
  expect(log.length).toBeGreaterThan(0)
  for (const value of [as, token as string]) expect(stored.join() + JSON.stringify(log)).not.toContain(value)
})
