import { afterAll, beforeAll, expect, it } from 'vitest'
import { killChildren } from './processes/child.ts'
import { halyardFile, type ServedEngine, serveHalyard } from './processes/served-engine.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { type OwnDatabase, ownDatabase } from './setup/own-database.ts'

const token = 'api-concurrent-processes-0123456789'
const flagPath = '/api/v2/flags/web/f'
const processCount = 4
const requestsPerProcess = longTests ? 125 : 60

let database: OwnDatabase
let processes: readonly ServedEngine[]

beforeAll(async () => {
  database = await ownDatabase()
  const serve = () => serveHalyard(bundledProgram(halyardFile), database.url, token, ['--rate-limit', 'off'])
  // The first process creates the tables.
  const first = await serve()
  processes = [first, ...(await Promise.all(Array.from({ length: processCount - 1 }, serve)))]
  await first.send('POST', '/api/v2/projects', { body: { key: 'web', name: 'Web' } })
  await first.send('POST', '/api/v2/flags/web', { body: { key: 'f', name: 'F' } })
}, 120_000)

afterAll(async () => {
  await killChildren()
  await database.drop()
})

it(`all of ${processCount * requestsPerProcess} tags that four processes add to one flag concurrently are stored, and no process waits for the others`, async () => {
  const patch = (process: ServedEngine, value: string) =>
    process.send('PATCH', flagPath, { body: [{ op: 'add', path: '/tags/-', value }] })
  const finished: number[] = []
  const responses = await Promise.all(
    processes.flatMap((process, index) =>
      Array.from({ length: requestsPerProcess }, async (_, number) => {
        const { status } = await patch(process, `tag-${index}-${number}`)
        finished.push(index)
        return status
      }),
    ),
  )
  expect(responses).toEqual(responses.map(() => 200))
  const response = await processes[0]?.send('GET', flagPath)
  const { tags } = (response?.body ?? { tags: [] }) as { tags: string[] }
  expect(new Set(tags).size).toBe(processCount * requestsPerProcess)
  // On a busy machine one process can be far behind. A process that waits for the others finishes its first request
  // only when every other process has finished all its requests.
  const ofOthers = finished.slice(0, (processCount - 1) * requestsPerProcess)
  const shares = processes.map((_, index) => ofOthers.filter((other) => other === index).length)
  console.log(`requests finished by each process in the first three quarters: ${shares.join(', ')}`)
  for (const share of shares) expect(share).toBeGreaterThan(0)
}, 180_000)
