import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import type { Send } from '@halyard/core/webhooks'
import { expect, it } from 'vitest'

const start = Date.UTC(2026, 0, 1)
const minute = 60_000

interface Fleet {
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
async function fleet(storage: Storage, crashes: (engine: number) => boolean = () => false): Promise<Fleet> {
  let now = start
  const sent: string[] = []
  const sender =
    (engine: number): Send =>
    async ({ headers }) => {
      sent.push(headers['webhook-id'] as string)
      await new Promise((resolve) => setImmediate(resolve))
      if (crashes(engine)) throw new Error('the process ended')
      return { outcome: 'answered', status: 200, body: '', ms: 1 }
    }
  const engineAt = (at: number) =>
    createEngine({ storage, clock: () => now, rateLimit: false, webhooks: { send: sender(at) } })
  const engines = [engineAt(0), engineAt(1)] as const
  const as = (await engines[0].bootstrap())?.token as string
  const body = { url: 'https://chat.example.com/hook', on: true, sign: true }
  await engines[0].api.createWebhook({ body }, { as })
  return { engines, as, sent, advance: (ms) => void (now += ms) }
}

const project = ({ engines: [engine], as }: Fleet, key: string) =>
  engine.api.createProject({ body: { key, name: key } }, { as })

const rename = ({ engines: [engine], as }: Fleet, projectKey: string, name: string) =>
  engine.api.patchProject({ projectKey, body: [{ op: 'replace', path: '/name', value: name }] }, { as })

/** Defines the tests of two engines that deliver from one queue, on any storage. */
export function deliveriesBetweenEngines(open: () => Promise<Storage>): void {
  it('send each message once while both run', async () => {
    const both = await fleet(await open())
    for (let i = 0; i < 40; i++) await project(both, `p${i}`)
    const done = await Promise.all(both.engines.flatMap((engine) => [engine.runDueTasks(), engine.runDueTasks()]))
    // One engine may have taken tasks that it did not start; the next run delivers them.
    done.push(await both.engines[0].runDueTasks())
    expect(done.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(40)
    expect(new Set(both.sent).size).toBe(40)
    expect(both.sent).toHaveLength(40)
  })

  it('keep the order of messages about one resource', async () => {
    const both = await fleet(await open())
    await project(both, 'web')
    for (let i = 0; i < 20; i++) {
      both.advance(1)
      await rename(both, 'web', `name ${i}`)
    }
    let left = true
    while (left) left = (await Promise.all(both.engines.map((engine) => engine.runDueTasks()))).some(({ more }) => more)
    const { items } = await both.engines[0].api.listChangeLog({ spec: 'proj/web', limit: 100 }, { as: both.as })
    expect(both.sent).toEqual(items.map(({ _id }) => _id).reverse())
  })

  it('send a message again, after its lease ends, when one engine crashes before recording it', async () => {
    const both = await fleet(await open(), (engine) => engine === 0)
    await project(both, 'web')
    const [ends, lives] = both.engines
    await ends.runDueTasks()
    expect(await lives.runDueTasks()).toMatchObject({ delivered: 0 })
    both.advance(2 * minute)
    expect(await lives.runDueTasks()).toMatchObject({ delivered: 1 })
    expect(both.sent).toEqual([both.sent[0], both.sent[0]])
  })

  it('deliver a change after its commit, and not before', async () => {
    const both = await fleet(await open())
    await project(both, 'web')
    await Promise.all([
      ...Array.from({ length: 10 }, (_, i) => rename(both, 'web', `name ${i}`).catch(() => {})),
      ...both.engines.map((engine) => engine.runDueTasks()),
    ])
    while ((await both.engines[1].runDueTasks()).more);
    const { items } = await both.engines[0].api.listChangeLog({ spec: 'proj/web', limit: 100 }, { as: both.as })
    expect([...both.sent].sort()).toEqual(items.map(({ _id }) => _id).sort())
  })
}
