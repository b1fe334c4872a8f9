import { type ApiError, createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { describe, expect, it } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'
import { longTests } from './setup/long-tests.ts'

const storages = everyStorage()

const as = { role: 'admin' } as const

async function engineWithProject(open: () => Promise<Storage>): Promise<Engine> {
  const engine = createEngine({ storage: await open() })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  return engine
}

const addTag = (engine: Engine, tag: string) =>
  engine.api.patchProject({ projectKey: 'web', body: [{ op: 'add', path: '/tags/-', value: tag }] }, { as })

/** Adds a tag and retries after each conflict, with a random pause whose maximum grows with each attempt. */
async function addTagWithRetries(engine: Engine, tag: string, random: () => number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await addTag(engine, tag)
      return
    } catch (error) {
      if ((error as ApiError).code !== 'optimistic_locking_error') throw error
      const turns = Math.floor(random() * Math.min(1000, 2 ** attempt))
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    }
  }
}

/** Returns a generator of numbers from 0 to 1 that are the same in every run. */
function pseudoRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

describe.each(Object.entries(storages))('concurrent changes on %s', (name, open) => {
  // Each caller retries after a conflict, so that twice as many callers take a database four times as long.
  const callers = longTests || name === 'memory' ? 500 : 200
  it(`all of ${callers} tags that ${callers} callers add concurrently are kept`, async () => {
    const engine = await engineWithProject(open)
    const random = pseudoRandom(500)
    const expected = Array.from({ length: callers }, (_, i) => `tag-${i}`)
    await Promise.all(expected.map((tag) => addTagWithRetries(engine, tag, random)))
    const { tags } = await engine.api.getProject({ projectKey: 'web' }, { as })
    expect([...tags].sort()).toEqual([...expected].sort())
  }, 180_000)

  it('of two concurrent patches with the same If-Match, one succeeds and the other gets optimistic_locking_error', async () => {
    const engine = await engineWithProject(open)
    // Both callers send the version that they read before either writes.
    const ifMatch = '"1"'
    const outcomes = await Promise.allSettled(
      ['one', 'two'].map((tag) =>
        engine.api.patchProject(
          { projectKey: 'web', body: [{ op: 'add', path: '/tags/-', value: tag }] },
          { as, ifMatch },
        ),
      ),
    )
    const fulfilled = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    const rejections = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(fulfilled).toHaveLength(1)
    expect(rejections).toMatchObject([{ code: 'optimistic_locking_error', status: 409 }])
    expect((await engine.api.getProject({ projectKey: 'web' }, { as })).tags).toHaveLength(1)
  })

  it('an environment is never created in a project that is deleted concurrently', async () => {
    const engine = await engineWithProject(open)
    const body = { key: 'late', name: 'Late', color: '000000' }
    const [creation] = await Promise.allSettled([
      engine.api.createEnvironment({ projectKey: 'web', body }, { as }),
      engine.api.deleteProject({ projectKey: 'web' }, { as }),
    ])
    const project = await engine.api.getProject({ projectKey: 'web' }, { as }).catch((error: ApiError) => error.code)
    const environment = engine.api.getEnvironment({ projectKey: 'web', environmentKey: 'late' }, { as })
    const environmentExists = await environment.then(
      () => true,
      () => false,
    )
    // Whichever request was first, no environment exists without its project.
    if (project === 'not_found') expect(environmentExists).toBe(false)
    else expect(environmentExists).toBe(creation.status === 'fulfilled')
  })
})
