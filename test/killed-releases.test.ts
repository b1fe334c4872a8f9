import { createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { afterEach, expect, it } from 'vitest'
import { type Child, killChildren, startChild } from './processes/child.ts'
import { bundledProgram } from './setup/bundled-program.ts'
import { longTests } from './setup/long-tests.ts'
import { ownDatabase } from './setup/own-database.ts'

const kills = longTests ? 100 : 5

/**
 * Number of stages, chosen so that the entries of a release, including its start and its end, fit on one page of the
 * change log.
 */
const stageCount = longTests ? 90 : 20

/** Number of releases that run at the same time. */
const releaseCount = longTests ? 12 : 2

/** Longer than the lease of a task, ms. */
const beyondLeaseMs = 600_000

const as = { role: 'owner' } as const
const production = { projectKey: 'web', environmentKey: 'production' }

afterEach(killChildren)

it(
  `releases whose process is killed ${kills} times take every stage once and in order`,
  async () => {
    const { url, pool, drop } = await ownDatabase()
    const engine = createEngine({ storage: createPostgresStorage({ pool }), clock: () => Date.now() })
    try {
      await engine.migrate()
      const flagKeys = await startReleases(engine)
      await killWhileStepping(url)
      const last = startChild(
        bundledProgram('test/processes/releaser.ts'),
        [url, String((kills + 1) * beyondLeaseMs)],
        {
          waits: true,
        },
      )
      last.writeLine('go')
      await expect
        .poll(() => statuses(engine, flagKeys), { timeout: 600_000, interval: 500 })
        .toEqual(flagKeys.map(() => 'completed'))
      await last.kill()
      for (const flagKey of flagKeys) expect(await stagesInChangeLog(engine, flagKey)).toEqual(expectedStages())
    } finally {
      await killChildren()
      await engine.close()
      await drop()
    }
  },
  longTests ? 900_000 : 300_000,
)

type Engine = ReturnType<typeof createEngine>

async function startReleases({ api }: Engine): Promise<string[]> {
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  const stages = Array.from({ length: stageCount }, (_, i) => ({ allocation: (i + 1) * 100, durationMillis: 0 }))
  const body = { key: 'usual', name: 'Usual', releaseMethod: 'progressive-release' as const }
  await api.createReleasePolicy({ projectKey: 'web', body: { ...body, progressiveReleaseConfig: { stages } } }, { as })
  const keys = Array.from({ length: releaseCount }, (_, i) => `flag-${i}`)
  for (const flagKey of keys) {
    await api.createFlag({ projectKey: 'web', body: { key: flagKey, name: flagKey } }, { as })
    const patch = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' as const }] }
    await api.patchFlag({ projectKey: 'web', flagKey, body: patch }, { as })
  }
  return keys
}

/** Starts one process after the other, and kills each at another moment after its first step. */
async function killWhileStepping(url: string): Promise<void> {
  const program = bundledProgram('test/processes/releaser.ts')
  const start = (run: number) => startChild(program, [url, String(run * beyondLeaseMs)], { waits: true })
  let next: Child = start(0)
  for (let run = 0; run < kills; run++) {
    const current = next
    current.writeLine('go')
    next = start(run + 1)
    await current.printed(/step/)
    // The process is killed after 0 to 12 ms, which may be before, during or after its next commit.
    await new Promise((resolve) => setTimeout(resolve, (run * 7) % 13))
    await current.kill()
  }
  await next.kill()
}

async function statuses({ api }: Engine, flagKeys: readonly string[]) {
  const lists = await Promise.all(
    flagKeys.map((flagKey) => api.listAutomatedReleases({ ...production, flagKey }, { as })),
  )
  return lists.map(({ items }) => items[0]?.status)
}

/** Returns the sentences about the release of a flag, the oldest first. */
async function stagesInChangeLog({ api }: Engine, flagKey: string): Promise<string[]> {
  const spec = `proj/web:env/production:flag/${flagKey}`
  const { items } = await api.listChangeLog({ spec, limit: 100 }, { as })
  return items
    .map(({ titleVerb }) => titleVerb)
    .filter((sentence) => sentence.includes('release'))
    .map((sentence) => sentence.replace(/ of \S+ in Production/g, ''))
    .toReversed()
}

function expectedStages(): string[] {
  const percent = (stage: number) => `${((stage + 1) * 100) / 1_000} % of contexts`
  const stages = Array.from({ length: stageCount - 1 }, (_, i) => i + 1)
  return [
    expect.stringContaining(`started the progressive release with ${percent(0)}`),
    ...stages.map(
      (stage) => `moved the progressive release to stage ${stage + 1} of ${stageCount} with ${percent(stage)}`,
    ),
    'ended the progressive release, which serves all contexts now',
  ]
}
