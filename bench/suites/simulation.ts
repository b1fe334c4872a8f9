import { createEngine } from '@halyard/core'
import { compileRuleset, type EvaluationContext, evaluate } from '@halyard/core/evaluation'
import { createMemoryStorage } from '@halyard/storage-memory'
import { compare, type Suite } from '../compare.ts'

const place = { projectKey: 'shop', environmentKey: 'production' }
const as = { role: 'admin' } as const
const [rules, people] = [20, 1_000]

/** Measures the simulation of a change for many contexts, compared with evaluating all contexts before and after it. */
export const simulation: Suite = {
  name: 'simulation',
  about:
    'Simulates turning on a flag with twenty rules for 1,000 contexts, half of which match one: the operation changes the flag on memory storage in a dry run, both states are read and compared, and each changed result is explained in words. The peer is the 2,000 evaluations that any such comparison needs, on a compiled ruleset.',
  async run() {
    const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
    try {
      const instructions = await made(engine)
      const ruleset = (on: boolean) => compileRuleset({ flags: [{ ...data(engine), on }] })
      const [before, after] = [ruleset(false), ruleset(true)]
      const told = await engine.simulate({ ...place, flagKey: 'pay', instructions, contexts }, { as })
      const changing = contexts.filter((one) => value(before, one) !== value(after, one))
      if (told.changed !== changing.length) throw new Error(`expected ${changing.length} changed contexts, got ${told.changed}`)
      const contest = await compare({
        suite: 'simulation',
        case: `one flag of ${rules} rules for 1,000 contexts`,
        ours: () => engine.simulate({ ...place, flagKey: 'pay', instructions, contexts }, { as }),
        peer: {
          name: 'evaluating them twice',
          run: () => {
            for (const side of [before, after]) for (const context of contexts) value(side, context)
          },
        },
        slow: true,
      })
      return [contest]
    } finally {
      await engine.close()
    }
  },
}

type Engine = ReturnType<typeof createEngine>

const contexts: readonly EvaluationContext[] = Array.from({ length: people }, (_, at) => ({
  kind: 'user',
  key: `user-${at}`,
  team: `team-${at % (2 * rules)}`,
}))

function value(ruleset: ReturnType<typeof compileRuleset>, context: EvaluationContext): unknown {
  return evaluate(ruleset, 'pay', context).value
}

/** Creates the flag, which is off, and returns the instructions that turn it on. */
async function made({ api, evaluator }: Engine) {
  await api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
  const { variations } = await api.createFlag({ projectKey: 'shop', body: { key: 'pay', name: 'Pay' } }, { as })
  const [yes, no] = variations.map(({ _id }) => _id)
  const ruled = Array.from({ length: rules }, (_, at) => ({
    kind: 'addRule',
    clauses: [{ contextKind: 'user', attribute: 'team', op: 'in', values: [`team-${at}`], negate: false }],
    variationId: yes,
  }))
  const fallthrough = { kind: 'updateFallthroughVariationOrRollout', variationId: no }
  const body = { environmentKey: 'production', instructions: [...ruled, fallthrough] } as never
  await api.patchFlag({ projectKey: 'shop', featureFlagKey: 'pay', body }, { as })
  await evaluator(place).ready()
  return [{ kind: 'turnFlagOn' }] as const
}

function data(engine: Engine) {
  const described = engine.evaluator(place).describe('pay')
  if (!described) throw new Error('the flag is missing')
  return described.data
}
