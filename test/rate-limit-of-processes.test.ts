import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killChildren } from './processes/child.ts'
import { type ServedEngine, startServer } from './processes/served-engine.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { type OwnDatabase, ownDatabase } from './setup/own-database.ts'

const token = 'api-rate-limit-of-processes'
const routeLimit = 200
/** So long that no window ends during the test: the window lasts until the year 2286. */
const windowMs = 10 ** 13

let database: OwnDatabase
let processes: readonly ServedEngine[] = []

beforeAll(async () => {
  database = await ownDatabase()
  const limitedServer = bundledProgram('test/processes/limited-server.ts')
  const start = () => startServer(limitedServer, [database.url, token, `${routeLimit}`, `${windowMs}`], token)
  processes = await Promise.all([start(), start(), start(), start()])
}, 60_000)

afterAll(async () => {
  await killChildren()
  await database.drop()
})

describe('a rate limit shared by four processes on one Postgres', () => {
  it('accepts as many requests of a caller as one process would', async () => {
    // The loads are unequal, as behind a load balancer that prefers some processes.
    const loads = [120, 60, 40, 30]
    const responses = await Promise.all(
      processes.flatMap((server, i) =>
        Array.from({ length: loads[i] as number }, () => server.send('GET', '/api/v2/projects')),
      ),
    )
    const withStatus = (status: number) => responses.filter((response) => response.status === status)
    expect(withStatus(200).length + withStatus(429).length).toBe(responses.length)
    expect(withStatus(200).length).toBeLessThanOrEqual(routeLimit)
    // A process may hold an unused quota lease of at most 1/20 of the limit.
    expect(withStatus(200).length).toBeGreaterThanOrEqual(routeLimit - 3 * (routeLimit / 20))
    for (const { headers } of withStatus(429)) expect(headers.get('x-ratelimit-route-remaining')).toBe('0')

    // Requests to the process that holds a lease still use it.
    let laterAccepted = 0
    for (const server of processes)
      while ((await server.send('GET', '/api/v2/projects')).status === 200) laterAccepted++
    expect(withStatus(200).length + laterAccepted).toBe(routeLimit)
  })

  it('counts another operation and another token separately', async () => {
    const [first, second] = processes as [ServedEngine, ServedEngine]
    const created = await first.send('POST', '/api/v2/tokens', { body: { name: 'Other', role: 'reader' } })
    expect(created.status).toBe(201)
    const { token: otherToken } = created.body as { token: string }
    const response = await second.send('GET', '/api/v2/projects', { token: otherToken })
    expect([response.status, response.headers.get('x-ratelimit-route-remaining')]).toEqual([200, `${routeLimit - 1}`])
    expect((await second.send('GET', '/api/v2/roles')).status).toBe(200)
  })

  it('writes rows for known callers only, and none for made-up tokens', async () => {
    const rows = async () => (await database.pool.query('select key, used from halyard.shares')).rows
    const rowsBefore = await rows()
    expect(rowsBefore.find(({ key }) => key.endsWith(' listProjects'))).toBeDefined()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        processes[i % 4]?.send('GET', '/api/v2/teams', { token: `api-nobody-${i}` }),
      ),
    )
    expect(responses.map((response) => response?.status)).toEqual(responses.map(() => 401))
    expect(await rows()).toHaveLength(rowsBefore.length)
  })
})
