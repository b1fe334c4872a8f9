import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { compare, type Suite } from '../compare.ts'

const suite = 'branches'
const as = { role: 'owner' } as const
const web = { projectKey: 'web' }
const production = { ...web, environmentKey: 'production' }
const user = { kind: 'user', key: 'ann' }
const flagCount = 1_000

/** Compares evaluation in a branch with evaluation outside. */
export const branches: Suite = {
  name: suite,
  about:
    'evaluate and evaluateAll in a branch that has changed one of 1,000 flags; the peer is the same call outside the branch. Target: at most 1.2 times the time, which is a ratio of at least 0.83.',
  async run() {
    await using engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    for (let i = 0; i < flagCount; i++)
      await engine.api.createFlag({ ...web, body: { key: `f${i}`, name: `Flag ${i}` } }, { as })
    const branch = await engine.branch('preview')
    const body = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' as const }] }
    await branch.api.patchFlag({ ...web, flagKey: 'f0', body }, { as })
    for (const each of [engine, branch]) await each.evaluator(production).ready()
    return [
      await compare({
        suite,
        case: 'evaluate in a branch',
        ours: () => branch.evaluate('f1', user, false, production),
        peer: { name: 'evaluate outside', run: () => engine.evaluate('f1', user, false, production) },
      }),
      await compare({
        suite,
        case: 'evaluateAll in a branch',
        ours: () => branch.evaluateAll(user, production),
        peer: { name: 'evaluateAll outside', run: () => engine.evaluateAll(user, production) },
      }),
    ]
  },
}
