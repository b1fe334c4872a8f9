import { createEngine } from '@halyard/core'
import { compileRuleset, type EvaluationContext, evaluate } from '@halyard/core/evaluation'
import { createMemoryStorage } from '@halyard/storage-memory'
import { compare, type Suite } from '../compare.ts'

const environmentKeys = { projectKey: 'shop', environmentKey: 'production' }
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
      const instructions = await createFlag(engine)
      const ruleset = (on: boolean) => compileRuleset({ flags: [{ ...flagData(engine), on }] })
      const [before, after] = [ruleset(false), ruleset(true)]
      const simulated = await engine.simulate({ ...environmentKeys, flagKey: 'pay', instructions, contexts }, { as })
      const changing = contexts.filter((context) => value(before, context) !== value(after, context))
      if (simulated.changed !== changing.length)
        throw new Error(`expected ${changing.length} changed contexts, got ${simulated.changed}`)
      const comparison = await compare({
        suite: 'simulation',
        case: `one flag of ${rules} rules for 1,000 contexts`,
        ours: () => engine.simulate({ ...environmentKeys, flagKey: 'pay', instructions, contexts }, { as }),
        peer: {
          name: 'evaluating them twice',
          run: () => {
            for (const ruleset of [before, after]) for (const context of contexts) value(ruleset, context)
          },
        },
        slow: true,
      })
      return [comparison]
    } finally {
      await engine.close()
    }
  },
}

type Engine = ReturnType<typeof createEngine>

const contexts: readonly EvaluationContext[] = Array.from({ length: people }, (_, index) => ({
  kind: 'user',
  key: `user-${index}`,
  team: `team-${index % (2 * rules)}`,
}))

function value(ruleset: ReturnType<typeof compileRuleset>, context: EvaluationContext): unknown {
  return evaluate(ruleset, 'pay', context).value
}

/** Creates the flag, which is off, and returns the instructions that turn it on. */
async function createFlag({ api, evaluator }: Engine) {
  await api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
  const { variations } = await api.createFlag({ projectKey: 'shop', body: { key: 'pay', name: 'Pay' } }, { as })
  const [onVariation, offVariation] = variations.map(({ _id }) => _id)
  const ruleInstructions = Array.from({ length: rules }, (_, index) => ({
    kind: 'addRule',
    clauses: [{ contextKind: 'user', attribute: 'team', op: 'in', values: [`team-${index}`], negate: false }],
    variationId: onVariation,
  }))
  const fallthrough = { kind: 'updateFallthroughVariationOrRollout', variationId: offVariation }
  const body = { environmentKey: 'production', instructions: [...ruleInstructions, fallthrough] } as never
  await api.patchFlag({ projectKey: 'shop', flagKey: 'pay', body }, { as })
  await evaluator(environmentKeys).ready()
  return [{ kind: 'turnFlagOn' }] as const
}

function flagData(engine: Engine) {
  const description = engine.evaluator(environmentKeys).describe('pay')
  if (!description) throw new Error('the flag is missing')
  return description.data
}
