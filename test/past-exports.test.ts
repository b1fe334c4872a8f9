import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'

const as = { role: 'owner' } as const
const seed = Number(process.env.HALYARD_TEST_SEED ?? 20_240_229)

/** A call of an operation, with the project, the resource and the text that it concerns. */
interface Call {
  readonly operation: string
  readonly project: string
  readonly key: string
  readonly text: string
}

type Run = (api: ReturnType<Engine['as']>, call: Call) => Promise<unknown>

const replace = (path: string, value: unknown) => [{ op: 'replace' as const, path, value }]
const instruct: (instruction: object) => Run =
  (instruction) =>
  (api, { project, key }) =>
    api.patchFlag({
      projectKey: project,
      flagKey: key,
      // Cast: the instructions of the test are complete.
      body: { environmentKey: 'production', instructions: [instruction] } as never,
    })

/** The calls, by name. */
const operations: Readonly<Record<string, Run>> = {
  createProject: (api, { project }) => api.createProject({ body: { key: project, name: project } }),
  patchProject: (api, { project, text }) => api.patchProject({ projectKey: project, body: replace('/name', text) }),
  deleteProject: (api, { project }) => api.deleteProject({ projectKey: project }),
  createEnvironment: (api, { project, key }) =>
    api.createEnvironment({ projectKey: project, body: { key, name: key, color: 'ff0000' } }),
  deleteEnvironment: (api, { project, key }) => api.deleteEnvironment({ projectKey: project, environmentKey: key }),
  createFlag: (api, { project, key }) => api.createFlag({ projectKey: project, body: { key, name: key } }),
  renameFlag: (api, { project, key, text }) =>
    api.patchFlag({ projectKey: project, flagKey: key, body: replace('/name', text) }),
  turnOn: instruct({ kind: 'turnFlagOn' }),
  turnOff: instruct({ kind: 'turnFlagOff' }),
  addTags: instruct({ kind: 'addTags', values: ['a'] }),
  archive: instruct({ kind: 'archiveFlag' }),
  deleteFlag: (api, { project, key }) => api.deleteFlag({ projectKey: project, flagKey: key }),
  createSegment: (api, { project, key }) =>
    api.createSegment({ projectKey: project, environmentKey: 'production', body: { key, name: key } }),
  includeInSegment: (api, { project, key, text }) =>
    api.patchSegment({
      projectKey: project,
      environmentKey: 'production',
      segmentKey: key,
      body: [{ op: 'add', path: '/included/-', value: text }],
    }),
  deleteSegment: (api, { project, key }) =>
    api.deleteSegment({ projectKey: project, environmentKey: 'production', segmentKey: key }),
  createTeam: (api, { key }) => api.createTeam({ body: { key, name: key } }),
  patchTeam: (api, { key, text }) =>
    api.patchTeam({ teamKey: key, body: { instructions: [{ kind: 'updateName', value: text }] } }),
  deleteTeam: (api, { key }) => api.deleteTeam({ teamKey: key }),
  createView: (api, { project, key }) => api.createView({ projectKey: project, body: { key, name: key } }),
  linkView: (api, { project, key }) =>
    api.linkResource({ projectKey: project, viewKey: key, resourceType: 'flags', body: { keys: [key] } }),
  createTwoFlags: (api, { project, key, text }) =>
    api.applyChanges({
      body: {
        changes: [key, `${key}-${text}`].map((flagKey) => ({
          operation: 'createFlag',
          parameters: { projectKey: project },
          body: { key: flagKey, name: flagKey },
        })),
      },
    }),
  revert: async (api) => {
    const { items } = await api.listChangeLog({ limit: 1 })
    await api.revertChangeLogEntry({ id: items[0]?._id ?? '', body: {} })
  },
}

const calls = fc.array(
  fc.record({
    operation: fc.constantFrom(...Object.keys(operations)),
    project: fc.constantFrom('web', 'shop'),
    key: fc.constantFrom('a', 'b', 'c'),
    text: fc.constantFrom('x', 'y', 'z'),
  }),
  { minLength: 5, maxLength: 40, size: 'max' },
)

async function exported(engine: Pick<Engine, 'export'>): Promise<string> {
  let text = ''
  for await (const piece of engine.export()) text += piece
  return text
}

/**
 * Makes the calls, and compares the export after each commit with the export of an engine that reads the past at that
 * time.
 */
async function checkExports(storage: Storage, account: string, list: readonly Call[]): Promise<number> {
  let time = Date.UTC(2026, 0, 2)
  const engine = createEngine({ storage, account, clock: () => time, rateLimit: false })
  const api = engine.as(as)
  const moments: { readonly time: number; readonly text: string }[] = []
  const begin = ['createProject', 'createFlag', 'createSegment', 'createView'].map((operation) => {
    return { operation, project: 'web', key: 'a', text: 'x' }
  })
  for (const call of [...begin, ...list]) {
    time += 1_000
    const isMade = await operations[call.operation]?.(api, call).then(
      () => true,
      // A refused call, such as the creation of an existing resource, is not a commit.
      () => false,
    )
    if (isMade) moments.push({ time, text: await exported(engine) })
  }
  time += 1_000
  for (const moment of moments) expect(await exported(engine.at(moment.time))).toBe(moment.text)
  return moments.length
}

describe.each(Object.entries(everyStorage()))('exports of the past on %s', (name, open) => {
  it('have the same bytes as exports that were made at that moment, for each moment of a list of random commits', async () => {
    const storage = await open()
    let round = 0
    let commits = 0
    await fc.assert(
      fc.asyncProperty(calls, async (list) => {
        commits += await checkExports(storage, `${name} ${round++}`, list)
      }),
      { numRuns: name === 'memory' ? 12 : 2, seed },
    )
    expect(commits).toBeGreaterThan(round * 5)
    await storage.close()
  }, 120_000)
})
