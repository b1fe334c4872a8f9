import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endChildren } from './processes/child.ts'
import { type ServedEngine, served } from './processes/served-engine.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { type OwnDatabase, ownDatabase } from './setup/own-database.ts'

const token = 'api-rate-limit-of-processes'
const route = 200
/** So long that no window ends during the test: the window lasts until the year 2286. */
const windowMs = 10 ** 13

let database: OwnDatabase
let processes: readonly ServedEngine[] = []

beforeAll(async () => {
  database = await ownDatabase()
  const limitedServer = bundledProgram('test/processes/limited-server.ts')
  const start = () => served(limitedServer, [database.url, token, `${route}`, `${windowMs}`], token)
  processes = await Promise.all([start(), start(), start(), start()])
}, 60_000)

afterAll(async () => {
  await endChildren()
  await database.drop()
})

describe('a rate limit shared by four processes on one Postgres', () => {
  it('accepts as many requests of a caller as one process would', async () => {
    // Unequal loads, as behind a load balancer that prefers some processes.
    const loads = [120, 60, 40, 30]
    const answers = await Promise.all(
      processes.flatMap((one, i) =>
        Array.from({ length: loads[i] as number }, () => one.send('GET', '/api/v2/projects')),
      ),
    )
    const of = (status: number) => answers.filter((answer) => answer.status === status)
    expect(of(200).length + of(429).length).toBe(answers.length)
    expect(of(200).length).toBeLessThanOrEqual(route)
    // A process may hold an unused quota lease of at most 1/20 of the limit.
    expect(of(200).length).toBeGreaterThanOrEqual(route - 3 * (route / 20))
    for (const { headers } of of(429)) expect(headers.get('x-ratelimit-route-remaining')).toBe('0')

    // Requests to the process that holds a lease still use it.
    let last = 0
    for (const one of processes) while ((await one.send('GET', '/api/v2/projects')).status === 200) last++
    expect(of(200).length + last).toBe(route)
  })

  it('counts another operation and another token separately', async () => {
    const [first, second] = processes as [ServedEngine, ServedEngine]
    const made = await first.send('POST', '/api/v2/tokens', { body: { name: 'Other', role: 'reader' } })
    expect(made.status).toBe(201)
    const { token: other } = made.body as { token: string }
    const answer = await second.send('GET', '/api/v2/projects', { token: other })
    expect([answer.status, answer.headers.get('x-ratelimit-route-remaining')]).toEqual([200, `${route - 1}`])
    expect((await second.send('GET', '/api/v2/roles')).status).toBe(200)
  })

  it('writes rows for known callers only, and none for made-up tokens', async () => {
    const rows = async () => (await database.pool.query('select key, used from halyard.shares')).rows
    const before = await rows()
    expect(before.find(({ key }) => key.endsWith(' listProjects'))).toBeDefined()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        processes[i % 4]?.send('GET', '/api/v2/teams', { token: `api-nobody-${i}` }),
      ),
    )
    expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 401))
    expect(await rows()).toHaveLength(before.length)
  })
})
