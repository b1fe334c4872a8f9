import { createMemoryStorage } from '@halyard/storage-memory'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../index.ts'

const as = { role: 'owner' } as const
const shop = { projectKey: 'web' }
const production = { ...shop, environmentKey: 'production' }

/**
 * Creates the project Web with three flags. Ids and random bytes depend only on `seed`, and the clock does not advance.
 */
async function web() {
  let [seed, draws] = ['set-up', 0]
  const digits = () => [...`${seed}/${draws++}`].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 1e9, 7)
  const engine = createEngine({
    storage: createMemoryStorage(),
    clock: () => Date.UTC(2026, 0, 31, 12),
    newId: () => `00000000-0000-4000-8000-${String(digits()).padStart(12, '0')}`,
    // An id of eight bytes distinguishes the engines that write a change log. The test has only one engine, so this id
    // may be constant.
    randomHex: (bytes) =>
      bytes === 8
        ? '0'.repeat(16)
        : digits()
            .toString(16)
            .padStart(bytes * 2, '0'),
  })
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  for (const key of ['a', 'b', 'c']) await engine.api.createFlag({ ...shop, body: { key, name: key } }, { as })
  const setSeed = (next: string) => {
    ;[seed, draws] = [next, 0]
  }
  return { engine, setSeed }
}

interface Step {
  readonly flag: string
  readonly kind: 'create' | 'delete' | 'on' | 'off' | 'rename' | 'tag'
  readonly text: string
}

/** Makes one change of a flag; resolves with false when it is refused. */
async function make({ api }: Pick<Engine, 'api'>, { flag, kind, text }: Step): Promise<boolean> {
  const input = { ...shop, flagKey: flag }
  const patch = (instruction: object) =>
    api.patchFlag({ ...input, body: { environmentKey: 'production', instructions: [instruction] } } as never, { as })
  const calls = {
    create: () => api.createFlag({ ...shop, body: { key: flag, name: text } }, { as }),
    delete: () => api.deleteFlag(input, { as }),
    on: () => patch({ kind: 'turnFlagOn' }),
    off: () => patch({ kind: 'turnFlagOff' }),
    rename: () => api.patchFlag({ ...input, body: [{ op: 'replace', path: '/name', value: text }] }, { as }),
    tag: () => patch({ kind: 'addTags', values: [text] }),
  }
  return calls[kind]().then(
    () => true,
    () => false,
  )
}

async function exported(engine: Engine): Promise<string> {
  let text = ''
  for await (const piece of engine.export({ secrets: true })) text += piece
  return text
}

const stepsOn = (flags: readonly string[]) =>
  fc.array(
    fc.record({
      flag: fc.constantFrom(...flags),
      kind: fc.constantFrom(
        'create' as const,
        'delete' as const,
        'on' as const,
        'off' as const,
        'rename' as const,
        'tag' as const,
      ),
      text: fc.constantFrom('x', 'y', 'z'),
    }),
    { maxLength: 6 },
  )

describe('branch.merge', () => {
  it('leaves the account as if the changes of the branch had been made directly', async () => {
    await fc.assert(
      fc.asyncProperty(stepsOn(['a', 'd', 'e']), stepsOn(['b', 'f']), async (inBranch, inTrunk) => {
        const [split, direct] = [await web(), await web()]
        const branch = await split.engine.branch('pr-1')
        const branchSteps = inBranch.map((step, index) => ({ step, seed: `branch ${index}`, of: branch as Engine }))
        const other = inTrunk.map((step, index) => ({ step, seed: `trunk ${index}`, of: split.engine }))
        const interleaved = branchSteps.flatMap((each, index) => [each, ...other.slice(index, index + 1)])
        const createdKeys = new Set<string>()
        for (const { step, seed, of } of [...interleaved, ...other.slice(branchSteps.length)]) {
          split.setSeed(seed)
          if (await make(of, step)) createdKeys.add(seed)
        }
        await branch.merge({ as })
        for (const { step, seed } of [...other, ...branchSteps.filter((each) => createdKeys.has(each.seed))]) {
          direct.setSeed(seed)
          expect(await make(direct.engine, step)).toBe(createdKeys.has(seed))
        }
        expect(await exported(split.engine)).toBe(await exported(direct.engine))
      }),
      { numRuns: 40 },
    )
  })

  // Each of the four changes adds one to the version of the flag.
  it('merges changes of different parts of one flag, and continues its versions', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await make(branch, { flag: 'a', kind: 'rename', text: 'new' })
    await make(branch, { flag: 'a', kind: 'tag', text: 'x' })
    const before = await engine.api.getFlag({ ...shop, flagKey: 'a' }, { as })
    await make(engine, { flag: 'a', kind: 'on', text: '' })
    await engine.api.patchFlag(
      { ...shop, flagKey: 'a', body: [{ op: 'replace', path: '/description', value: 'text' }] },
      { as },
    )
    await branch.merge({ as })
    const flag = await engine.api.getFlag({ ...shop, flagKey: 'a' }, { as })
    expect([flag.name, flag.tags, flag.description, flag._version]).toEqual(['new', ['x'], 'text', before._version + 4])
    expect(flag.environments?.production?.on).toBe(true)
    expect(await engine.branches.list()).toEqual([])
  })

  it('is refused with the three versions of a part that both the branch and the trunk have changed', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await make(branch, { flag: 'a', kind: 'rename', text: 'ours' })
    await make(branch, { flag: 'b', kind: 'on', text: '' })
    await make(engine, { flag: 'a', kind: 'rename', text: 'theirs' })
    await expect(branch.merge({ as })).rejects.toMatchObject({
      code: 'optimistic_locking_error',
      conflicts: [{ resource: 'proj/web:env/*:flag/a', path: '/name', base: 'a', theirs: 'theirs', yours: 'ours' }],
    })
    const flag = await engine.api.getFlag({ ...shop, flagKey: 'b' }, { as })
    expect(flag.environments?.production?.on).toBe(false)
    expect((await engine.branches.list()).length).toBe(1)
  })

  it('is refused when the branch has deleted a document that the trunk has changed, or the reverse', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await make(branch, { flag: 'a', kind: 'rename', text: 'ours' })
    await make(engine, { flag: 'a', kind: 'delete', text: '' })
    const conflict = { resource: 'proj/web:env/*:flag/a', path: '' }
    await expect(branch.merge({ as })).rejects.toMatchObject({ status: 409, conflicts: [conflict] })
  })

  it('keeps the ids and keys that responses in the branch contained', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    const { _id } = (await branch.api.createEnvironment(
      { ...shop, body: { key: 'new', name: 'New', color: 'ff0000' } },
      { as },
    )) as {
      _id: string
    }
    const { apiKey } = await branch.api.getEnvironment({ ...shop, environmentKey: 'new' }, { as })
    await branch.merge({ as })
    const environment = await engine.api.getEnvironment({ ...shop, environmentKey: 'new' }, { as })
    expect([environment._id, environment.apiKey]).toEqual([_id, apiKey])
  })

  it('is refused as a whole when the caller lacks a right to one change', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await make(branch, { flag: 'a', kind: 'tag', text: 'x' })
    await make(branch, { flag: 'b', kind: 'delete', text: '' })
    const policy = [
      { effect: 'allow', actions: ['updateTags', 'viewProject'], resources: ['proj/*:env/*:flag/*', 'proj/*'] },
    ] as never
    await expect(branch.merge({ as: { policy } })).rejects.toMatchObject({ code: 'forbidden' })
    expect((await engine.api.getFlag({ ...shop, flagKey: 'a' }, { as })).tags).toEqual([])
  })

  it('needs the approval that an environment requires, although changes in the branch need none', async () => {
    const { engine } = await web()
    await engine.api.patchEnvironment(
      { ...production, body: [{ op: 'replace', path: '/approvalSettings/required', value: true }] },
      { as },
    )
    const branch = await engine.branch('pr-1')
    await make(branch, { flag: 'a', kind: 'on', text: '' })
    await expect(branch.merge({ as })).rejects.toThrow(/approval/)
    await branch.merge({ as, bypassRequiredApproval: true })
    expect((await engine.api.getFlag({ ...shop, flagKey: 'a' }, { as })).environments?.production?.on).toBe(true)
  })

  it('calls the hooks of the host once, for the whole merge', async () => {
    const calls: string[] = []
    const hooks = {
      beforeCommit: ({ operation }: { operation: string }) => void calls.push(`before ${operation}`),
      afterCommit: ({ operation }: { operation: string }) => void calls.push(`after ${operation}`),
    }
    const engine = createEngine({ storage: createMemoryStorage(), hooks })
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    calls.splice(0)
    const branch = await engine.branch('pr-1')
    for (const key of ['a', 'b']) await branch.api.createFlag({ ...shop, body: { key, name: key } }, { as })
    expect(calls).toEqual([])
    await branch.merge({ as })
    expect(calls).toEqual(['before mergeBranch', 'after mergeBranch'])
  })
})

describe('branch.diff', () => {
  it('lists the changed documents of both sides, and the sentences of the changes', async () => {
    const { engine } = await web()
    const branch = await engine.branch('pr-1')
    await make(branch, { flag: 'a', kind: 'rename', text: 'new' })
    await make(branch, { flag: 'b', kind: 'delete', text: '' })
    const { documents, changes } = await branch.diff()
    const flags = documents.filter(({ kind }) => kind === 'flag')
    expect(flags.map(({ resource, base, branch: ours }) => [resource, base?.name, ours?.name])).toEqual([
      ['proj/web:env/*:flag/a', 'a', 'new'],
      ['proj/web:env/*:flag/b', 'b', undefined],
    ])
    expect(changes.map(({ operation }) => operation)).toEqual(['patchFlag', 'deleteFlag'])
    expect(changes.every(({ sentences }) => sentences.length > 0)).toBe(true)
  })
})
