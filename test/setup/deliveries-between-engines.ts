import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import type { Send } from '@halyard/core/webhooks'
import { expect, it } from 'vitest'

const start = Date.UTC(2026, 0, 1)
const minute = 60_000

interface EnginePair {
  readonly engines: readonly [Engine, Engine]
  readonly as: string
  /** Values of `webhook-id` that were sent, in order. */
  readonly sent: string[]
  advance(ms: number): void
}

/**
 * Creates two engines on one storage, with one clock.
 *
 * @param crashes returns true for an engine whose process ends before it can record that it has sent a message.
 */
async function createEnginePair(
  storage: Storage,
  crashes: (engine: number) => boolean = () => false,
): Promise<EnginePair> {
  let now = start
  const sentIds: string[] = []
  const sender =
    (engine: number): Send =>
    async ({ headers }) => {
      sentIds.push(headers['webhook-id'] as string)
      await new Promise((resolve) => setImmediate(resolve))
      if (crashes(engine)) throw new Error('the process ended')
      return { outcome: 'answered', status: 200, body: '', ms: 1 }
    }
  const engineAt = (index: number) =>
    createEngine({ storage, clock: () => now, rateLimit: false, webhooks: { send: sender(index) } })
  const engines = [engineAt(0), engineAt(1)] as const
  const as = (await engines[0].bootstrap())?.token as string
  const body = { url: 'https://chat.example.com/hook', on: true, sign: true }
  await engines[0].api.createWebhook({ body }, { as })
  return { engines, as, sent: sentIds, advance: (ms) => void (now += ms) }
}

const project = ({ engines: [engine], as }: EnginePair, key: string) =>
  engine.api.createProject({ body: { key, name: key } }, { as })

const rename = ({ engines: [engine], as }: EnginePair, projectKey: string, name: string) =>
  engine.api.patchProject({ projectKey, body: [{ op: 'replace', path: '/name', value: name }] }, { as })

/** Defines the tests of two engines that deliver from one queue, on any storage. */
export function deliveriesBetweenEngines(open: () => Promise<Storage>): void {
  it('send each message once while both run', async () => {
    const pair = await createEnginePair(await open())
    for (let i = 0; i < 40; i++) await project(pair, `p${i}`)
    const reports = await Promise.all(pair.engines.flatMap((engine) => [engine.runDueTasks(), engine.runDueTasks()]))
    // One engine may have taken tasks without starting them. The next run delivers these tasks.
    reports.push(await pair.engines[0].runDueTasks())
    expect(reports.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(40)
    expect(new Set(pair.sent).size).toBe(40)
    expect(pair.sent).toHaveLength(40)
  })

  it('keep the order of messages about one resource', async () => {
    const pair = await createEnginePair(await open())
    await project(pair, 'web')
    for (let i = 0; i < 20; i++) {
      pair.advance(1)
      await rename(pair, 'web', `name ${i}`)
    }
    let hasMore = true
    while (hasMore)
      hasMore = (await Promise.all(pair.engines.map((engine) => engine.runDueTasks()))).some(({ more }) => more)
    const { items } = await pair.engines[0].api.listChangeLog({ spec: 'proj/web', limit: 100 }, { as: pair.as })
    expect(pair.sent).toEqual(items.map(({ _id }) => _id).reverse())
  })

  it('send a message again, after its lease ends, when one engine crashes before recording it', async () => {
    const pair = await createEnginePair(await open(), (engine) => engine === 0)
    await project(pair, 'web')
    const [crashing, surviving] = pair.engines
    await crashing.runDueTasks()
    expect(await surviving.runDueTasks()).toMatchObject({ delivered: 0 })
    pair.advance(2 * minute)
    expect(await surviving.runDueTasks()).toMatchObject({ delivered: 1 })
    expect(pair.sent).toEqual([pair.sent[0], pair.sent[0]])
  })

  it('deliver a change after its commit, and not before', async () => {
    const pair = await createEnginePair(await open())
    await project(pair, 'web')
    await Promise.all([
      ...Array.from({ length: 10 }, (_, i) => rename(pair, 'web', `name ${i}`).catch(() => {})),
      ...pair.engines.map((engine) => engine.runDueTasks()),
    ])
    while ((await pair.engines[1].runDueTasks()).more);
    const { items } = await pair.engines[0].api.listChangeLog({ spec: 'proj/web', limit: 100 }, { as: pair.as })
    expect([...pair.sent].sort()).toEqual(items.map(({ _id }) => _id).sort())
  })
}
