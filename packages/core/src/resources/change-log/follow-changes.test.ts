import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine, type Engine, type PositionedChange } from '../../index.ts'
import type { Sample, Storage } from '../../storage/port.ts'

const as = { role: 'owner' } as const
const noon = Date.UTC(2026, 0, 1, 12)
const flag = { projectKey: 'web', flagKey: 'checkout' }

/** Returns the next changes of an iteration. */
async function take(changes: AsyncIterator<PositionedChange>, count: number): Promise<PositionedChange[]> {
  const firstChanges: PositionedChange[] = []
  while (firstChanges.length < count) {
    const { value, done } = await changes.next()
    if (done) break
    firstChanges.push(value)
  }
  return firstChanges
}

const sentences = (changes: readonly PositionedChange[]) => changes.map((change) => change.sentences.join())

const tag = (engine: Engine, value: string) =>
  engine.api.patchFlag({ ...flag, body: [{ op: 'add', path: '/tags/-', value }] }, { as })

const added = (...tags: readonly string[]) => tags.map((value) => `added the tag ${value} to Checkout`)

/** Returns engines of two processes with a project and a flag, whose clocks the test sets. */
async function twoEngines(storage: Storage = createMemoryStorage()) {
  const clocks = { local: noon, remote: noon }
  const local = createEngine({ storage, clock: () => clocks.local })
  const remote = createEngine({ storage, clock: () => clocks.remote })
  await local.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await local.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  return { clocks, local, remote }
}

describe('engine.changes', () => {
  it('yields the changes of all processes from the oldest on, then waits for new ones', async () => {
    const { clocks, local, remote } = await twoEngines()
    clocks.remote += 1
    await tag(remote, 'a')
    const changes = local.changes()
    const [project, , tagged] = await take(changes, 3)
    expect(project).toMatchObject({ operation: 'createProject', date: noon })
    expect(tagged).toMatchObject({
      sentences: added('a'),
      resources: [{ resource: 'proj/web:env/*:flag/checkout', patch: [{ op: 'add', path: '/tags/0', value: 'a' }] }],
    })
    const next = changes.next()
    await tag(remote, 'b')
    expect((await next).value?.sentences).toEqual(added('b'))
    await changes.return?.()
  })

  it('continues after a time, or after a position, with the changes of the last minute once more', async () => {
    const { clocks, local } = await twoEngines()
    clocks.local += 120_000
    await tag(local, 'a')
    await tag(local, 'b')
    const first = await take(local.changes(), 4)
    const positionOf = (index: number) => first[index]?.position as string
    // The tags are younger than 60 seconds, so an older change may still become readable.
    expect(sentences(await take(local.changes({ after: positionOf(3) }), 2))).toEqual(added('a', 'b'))
    expect(sentences(await take(local.changes({ after: positionOf(0) }), 3))[0]).toContain('created the flag')
    expect(sentences(await take(local.changes({ after: clocks.local }), 2))).toEqual(added('a', 'b'))
    clocks.local += 120_000
    const settled = await take(local.changes({ after: positionOf(3) }), 2)
    const [next] = [local.changes({ after: settled[1]?.position as string }), await tag(local, 'c')]
    expect(sentences(await take(next, 1))).toEqual(added('c'))
  })

  it('yields a change whose commit ended after the commits of later changes', async () => {
    const memory = createMemoryStorage()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { clocks, local, remote } = await twoEngines(memory)
    const slow = createEngine({ storage: memory, clock: () => noon, hooks: { beforeCommit: () => released } })
    const late = slow.api.createTeam({ body: { key: 'late', name: 'Late' } }, { as })
    clocks.remote += 5_000
    clocks.local += 5_000
    await tag(remote, 'a')
    const changes = local.changes({ after: noon })
    const [, , last] = await take(changes, 3)
    expect(last?.sentences).toEqual(added('a'))
    const next = changes.next()
    release()
    await late
    expect((await next).value?.operation).toBe('createTeam')
    expect(sentences(await take(local.changes({ after: last?.position as string }), 4)).join()).toContain('Late')
  })

  it('yields the changes of a document in their order, although the clocks of the processes differ', async () => {
    const { clocks, local, remote } = await twoEngines()
    for (const [engine, ms, value] of [
      [local, 5_000, 'a'],
      [remote, 2_000, 'b'],
      [local, 4_000, 'c'],
      [remote, 1_000, 'd'],
    ] as const) {
      clocks[engine === local ? 'local' : 'remote'] = noon + ms
      await tag(engine, value)
    }
    const { items } = await local.api.listChangeLog({ limit: 4 }, { as })
    expect(items.map(({ titleVerb }) => titleVerb).reverse()).not.toEqual(added('a', 'b', 'c', 'd'))
    expect(sentences(await take(local.changes(), 6)).slice(2)).toEqual(added('a', 'b', 'c', 'd'))
  })

  it('yields each of many changes once, in their order', async () => {
    const storage = createMemoryStorage()
    const { local } = await twoEngines(storage)
    const account = storage.account('default')
    const series = { name: 'change-log', scope: 'acct' }
    const [entry] = await account.newest({ series, limit: 1 })
    const samples = Array.from({ length: 1_300 }, (_, index) => ({ ...entry, id: `z${1_000 + index}` }) as Sample)
    await account.commit([{ do: 'append', series, samples }])
    const followedChanges = await take(local.changes(), 1_302)
    expect(followedChanges.slice(2).map(({ id }) => id.slice(id.indexOf('-') + 1))).toEqual(samples.map(({ id }) => id))
  })

  it('polls a storage that does not notify', async () => {
    const memory = createMemoryStorage()
    const quiet: Storage = {
      ...memory,
      account: (name) => ({ ...memory.account(name), watch: undefined as never }),
    }
    const { local, remote } = await twoEngines(quiet)
    const changes = local.changes({ pollMs: 5 })
    await take(changes, 2)
    const next = changes.next()
    await tag(remote, 'a')
    expect((await next).value?.sentences).toEqual(added('a'))
    await changes.return?.()
  })

  it('ends when the signal is aborted', async () => {
    const { local } = await twoEngines()
    const abort = new AbortController()
    const changes = local.changes({ signal: abort.signal })
    await take(changes, 2)
    const next = changes.next()
    abort.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(await local.changes({ signal: abort.signal }).next()).toMatchObject({ done: true })
  })

  it.each([
    [{ after: 'x' }, 'after'],
    [{ after: -1 }, 'after'],
    [{ after: Number.NaN }, 'after'],
    [{ pollMs: 0 }, 'pollMs'],
    [{ overlapMs: 0.5 }, 'overlapMs'],
  ])('refuses %j', async (options, attribute) => {
    const engine = createEngine({ storage: createMemoryStorage() })
    expect(() => engine.changes(options)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ attribute })] }),
    )
  })
})
