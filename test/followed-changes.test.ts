import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createEngine, type Engine } from '@halyard/core'
import type { Sample } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, killChildren, startChild } from './processes/child.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { type OwnDatabase, ownDatabase } from './setup/own-database.ts'

const kills = longTests ? 100 : 4
const maxRunMs = 150
const as = { role: 'admin' } as const
const projectKey = 'web'

interface PrintedChange {
  readonly id: string
  readonly position: string
}

describe(`a process that follows the changes of another one on Postgres, killed ${kills} times`, () => {
  let database: OwnDatabase
  let log: readonly Sample[] = []
  let followed: readonly PrintedChange[] = []

  beforeAll(async () => {
    database = await ownDatabase()
    // Two storages, each with a connection that listens, as in two processes.
    const storages = [database, database].map(({ pool }) => createPostgresStorage({ pool }))
    const engines = storages.map((storage) => createEngine({ storage })) as [Engine, Engine]
    await engines[0].migrate()
    await engines[0].api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
    followed = await followWhileWriting(database, engines)
    log = await (storages[0] as (typeof storages)[0])
      .account('default')
      .newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1_000_000 })
    for (const engine of engines) await engine.close()
  }, kills * 20_000)

  afterAll(async () => {
    await killChildren()
    await database.drop()
  })

  it('receives every change', () => {
    const received = new Set(followed.map(({ id }) => id))
    console.log(`${log.length} changes, ${followed.length} received by ${kills + 1} processes`)
    expect(log.map(idOf).filter((id) => !received.has(id))).toEqual([])
    expect(log.length).toBeGreaterThan(kills)
  })

  it('receives the changes of a flag in their order', () => {
    const operations = new Map(log.map((entry) => [idOf(entry), entry]))
    const ofFlags = new Map<string, string[]>()
    for (const id of new Set(followed.map((change) => change.id))) {
      const entry = operations.get(id) as Sample
      const { operation, changes } = entry.body as { operation: string; changes: { resource: string }[] }
      const flag = changes[0]?.resource.split('/').at(-1) ?? ''
      if (operation.endsWith('Flag')) ofFlags.set(flag, [...(ofFlags.get(flag) ?? []), operation])
    }
    expect(ofFlags.size).toBeGreaterThan(0)
    for (const [flag, order] of ofFlags)
      expect({ [flag]: order }).toEqual({ [flag]: ['createFlag', 'patchFlag', 'patchFlag', 'deleteFlag'] })
  })
})

function idOf({ at, id }: Pick<Sample, 'at' | 'id'>): string {
  return `${at.toString(36)}-${id}`
}

/** Runs two writers, and a follower that is killed and replaced; returns what the followers printed, in order. */
async function followWhileWriting(
  { url, pool }: OwnDatabase,
  [one, other]: readonly [Engine, Engine],
): Promise<readonly PrintedChange[]> {
  const program = bundledProgram('test/processes/change-follower.ts')
  const start = () => startChild(program, [url], { waits: true })
  const followed: PrintedChange[] = []
  let isWriting = true
  const writers = Promise.all([writeFlags(one, other, () => isWriting), writeLate(one, pool, () => isWriting)])
  let next: Child = start()
  for (let run = 0; run < kills; run++) {
    const follower = next
    follower.writeLine(followed.at(-1)?.position ?? '')
    next = start()
    await follower.printed(/^\{.*\n/m)
    await delay(randomInt(maxRunMs))
    await follower.kill()
    followed.push(...printedBy(follower))
  }
  isWriting = false
  await writers
  const marker = await one.api.createTeam({ body: { key: 'last', name: 'Last' } }, { as })
  const [last] = (await one.api.listChangeLog({ limit: 1, spec: `team/${marker.key}` }, { as })).items
  next.writeLine(followed.at(-1)?.position ?? '')
  await next.printed(new RegExp(last?._id ?? 'none'))
  await next.kill()
  return [...followed, ...printedBy(next)]
}

function printedBy(follower: Child): readonly PrintedChange[] {
  return follower.lines().map((line) => JSON.parse(line) as PrintedChange)
}

/** Changes flags until the function returns false. The two engines make the changes in turn. */
async function writeFlags(one: Engine, other: Engine, isWriting: () => boolean): Promise<void> {
  for (let count = 0; isWriting(); count++) {
    const keys = { projectKey, flagKey: `flag-${count}` }
    await one.api.createFlag({ projectKey, body: { key: keys.flagKey, name: keys.flagKey } }, { as })
    await other.api.patchFlag({ ...keys, body: [{ op: 'add', path: '/tags/-', value: 'a' }] }, { as })
    await one.api.patchFlag({ ...keys, body: [{ op: 'add', path: '/tags/-', value: 'b' }] }, { as })
    await other.api.deleteFlag(keys, { as })
    await delay(5)
  }
}

/** Makes changes in transactions of the host that stay open while other changes become readable. */
async function writeLate(engine: Engine, pool: OwnDatabase['pool'], isWriting: () => boolean): Promise<void> {
  for (let count = 0; isWriting(); count++) {
    const client = await pool.connect()
    await client.query('begin')
    await engine.with({ transaction: client }).api.createTeam({ body: { key: `late-${count}`, name: 'Late' } }, { as })
    await delay(60)
    await client.query('commit')
    client.release()
  }
}
