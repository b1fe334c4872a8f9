import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ApiError } from '../../index.ts'
import { admin, type ReferenceAccount, referenceAccount } from './test/reference-account.ts'

const repos = ['r1', 'r2']
const names = ['main', 'dev', 'x:y/z']
const projects = ['web', 'mobile']

interface Hunk {
  readonly projKey: string
  readonly flagKey: string
  readonly startingLineNumber: number
}

interface Scan {
  readonly repo: string
  readonly branch: string
  readonly id: number | undefined
  readonly files: readonly { readonly path: string; readonly hunks: readonly Hunk[] }[]
}

const repo = fc.constantFrom(...repos)
const branch = fc.constantFrom(...names)
const files = fc.array(
  fc.record({
    path: fc.constantFrom('one', 'two', 'three'),
    hunks: fc.array(
      fc.record({
        projKey: fc.constantFrom(...projects),
        flagKey: fc.constantFrom('a', 'b', 'constructor'),
        startingLineNumber: fc.nat(9),
      }),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 4 },
)
const scan: fc.Arbitrary<Scan> = fc.record({ repo, branch, id: fc.option(fc.nat(6), { nil: undefined }), files })

type Step =
  | ({ readonly do: 'put' } & Scan)
  | { readonly do: 'delete'; readonly repo: string; readonly branches: readonly string[] }
  | { readonly do: 'point'; readonly repo: string; readonly branch: string }
  | { readonly do: 'renew'; readonly repo: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: scan.map((branchSummary) => ({ do: 'put' as const, ...branchSummary })) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), repo, branches: fc.array(branch) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('point' as const), repo, branch }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const), repo }) },
)

/** Expected content of a repository. */
interface Model {
  defaultBranch: string
  branches: Map<string, { id: number | undefined; files: Scan['files'] }>
}

const emptyModel = (): Model => ({ defaultBranch: 'main', branches: new Map() })

function put({ account }: ModelledAccount, { repo, branch, id, files }: Scan): Promise<string> {
  const sequence = id === undefined ? {} : { updateSequenceId: id }
  return account.put({ repo, branch }, files, sequence).then(
    () => 'stored',
    (error: ApiError) => error.code,
  )
}

interface ModelledAccount {
  readonly account: ReferenceAccount
  readonly models: Map<string, Model>
}

async function newModelledAccount(): Promise<ModelledAccount> {
  const account = await referenceAccount()
  for (const name of repos) await account.create(name)
  return { account, models: new Map(repos.map((name) => [name, emptyModel()])) }
}

async function runStep(world: ModelledAccount, step: Step): Promise<void> {
  const { api } = world.account.engine
  const model = world.models.get(step.repo) as Model
  switch (step.do) {
    case 'put': {
      const stored = model.branches.get(step.branch)
      const isOutdated = step.id !== undefined && stored?.id !== undefined && step.id <= stored.id
      expect(await put(world, step)).toBe(isOutdated ? 'updateSequenceId_conflict' : 'stored')
      if (!isOutdated) model.branches.set(step.branch, { id: step.id ?? stored?.id, files: step.files })
      return
    }
    case 'delete':
      await api.deleteBranches({ repo: step.repo, body: step.branches }, admin)
      for (const name of step.branches) model.branches.delete(name)
      return
    case 'point':
      await api.patchRepository(
        { repo: step.repo, body: [{ op: 'replace', path: '/defaultBranch', value: step.branch }] },
        admin,
      )
      model.defaultBranch = step.branch
      return
    case 'renew':
      await api.deleteRepository({ repo: step.repo }, admin)
      await world.account.create(step.repo)
      world.models.set(step.repo, emptyModel())
  }
}

/** Counts all hunks of all default branches. */
function countInModel({ models }: ModelledAccount, projectKey: string) {
  const counts: Record<string, Record<string, [number, number]>> = {}
  for (const [name, { defaultBranch, branches }] of models) {
    const references = (branches.get(defaultBranch)?.files ?? []).flatMap(({ path, hunks }) =>
      hunks.filter(({ projKey }) => projKey === projectKey).map(({ flagKey }) => ({ path, flagKey })),
    )
    for (const { flagKey } of references) {
      const paths = references.filter((branchSummary) => branchSummary.flagKey === flagKey).map(({ path }) => path)
      const entry = Object.hasOwn(counts, flagKey) ? counts[flagKey] : {}
      counts[flagKey] = { ...entry, [name]: [paths.length, new Set(paths).size] }
    }
  }
  return counts
}

async function expectModel(world: ModelledAccount): Promise<void> {
  const { account, models } = world
  for (const [name, { branches }] of models) {
    const { items } = await account.engine.api.listBranches({ repo: name }, admin)
    expect(new Map(items.map((branchSummary) => [branchSummary.name, branchSummary.updateSequenceId]))).toEqual(
      new Map([...branches].map(([branchName, { id }]) => [branchName, id])),
    )
    for (const [branchName, { files }] of branches) {
      const stored = await account.engine.api.getBranch({ repo: name, branch: branchName }, admin)
      expect(stored.references).toEqual(files)
    }
  }
  for (const projectKey of projects) expect(await account.counts(projectKey)).toEqual(countInModel(world, projectKey))
}

it('branches and statistics equal those of a simple model after any sequence of steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const world = await newModelledAccount()
      for (const step of steps) {
        await runStep(world, step)
        await expectModel(world)
      }
    }),
    { numRuns: 40 },
  )
})

it('the scan with the greatest number is stored when scans arrive concurrently and in any order', async () => {
  const ids = fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(ids, fc.array(files, { minLength: 6, maxLength: 6 }), async (ids, found) => {
      const world = await newModelledAccount()
      const scans = ids.map((id, i) => ({ repo: 'r1', branch: 'main', id, files: found[i] ?? [] }))
      // A scanner whose call lost a race sends it again.
      const send = async (branchSummary: Scan): Promise<string> => {
        const outcome = await put(world, branchSummary)
        return outcome === 'optimistic_locking_error' ? send(branchSummary) : outcome
      }
      const outcomes = await Promise.all(scans.map(send))
      const latest = scans.reduce((a, b) => (a.id > b.id ? a : b))
      expect(outcomes[scans.indexOf(latest)]).toBe('stored')
      world.models.set('r1', { ...emptyModel(), branches: new Map([['main', latest]]) })
      await expectModel(world)
    }),
    { numRuns: 40 },
  )
})
