import { createEngine } from '@halyard/core'
import { compileRuleset, evaluate, evaluateAll, replaceFlag } from '@halyard/core/evaluation'
import { createMemoryStorage } from '@halyard/storage-memory'
import { type Comparison, compare, type Suite } from '../compare.ts'
import { contexts, flag, people, ruleValues, segment } from '../evaluation-fixture.ts'
import { type EvaluationPeer, flagd, growthBook, handWritten, referenceSdk, unleash } from '../evaluation-peers.ts'

const evaluationCount = 1_000

/** Measures the evaluation of flags: one with rules, a segment and a rollout, and ten thousand of them. */
export const evaluation: Suite = {
  name: 'evaluation',
  about:
    'One run evaluates a flag 1,000 times, for eight contexts in turn: five rules, a segment of fifty keys, and a rollout for the half that no rule matches. All engines return the same values to contexts that a rule matches; the reference SDK returns the same to all eight, and only its results have to be awaited. The floor is the flag as code, with a cheaper hash and without reasons. Flags are compiled from the data that an SDK receives, compared with parsing the same data as JSON; each flag is prepared at its first evaluation, hence the case in which all flags are evaluated. An engine that counts evaluations is compared with one that does not.',
  async run() {
    const results: Comparison[] = []
    const ruleset = compileRuleset({ flags: [flag('f')], segments: [segment] })
    const ours: EvaluationPeer = {
      name: 'ours',
      evaluate: (personIndex) =>
        evaluate(ruleset, 'f', contexts[personIndex] as (typeof contexts)[number]).value as string,
      close() {},
    }
    const reference = await referenceSdk()
    const peers = [reference, unleash(), growthBook(), flagd(), handWritten()]
    const evaluateOurs = () => {
      for (let index = 0; index < evaluationCount; index++) ours.evaluate(index % people.length)
    }
    try {
      await assertSameValues(ours, reference, people.length)
      for (const peer of peers) {
        await assertSameValues(ours, peer, ruleValues.length)
        const run = peer === reference ? () => evaluateAsync(peer) : () => evaluateSync(peer)
        results.push(
          await compare({
            suite: 'evaluation',
            case: '1,000 evaluations',
            ours: evaluateOurs,
            peer: { name: peer.name, run },
          }),
        )
      }
    } finally {
      for (const peer of peers) await peer.close()
    }
    return [...results, await counting(), ...(await compiling())]
  },
}

/** Measures the cost of counting evaluations. */
async function counting(): Promise<Comparison> {
  const environmentKeys = { projectKey: 'shop', environmentKey: 'production' }
  const as = { role: 'admin' } as const
  const engines = [true, false].map((countEvaluations) =>
    createEngine({ storage: createMemoryStorage(), rateLimit: false, countEvaluations }),
  )
  try {
    const tasks = engines.map(async ({ api, evaluator }) => {
      await api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
      const { key, rules, fallthrough } = flag('f')
      const body = { key, name: key, variations: ['blue', 'red', 'green'].map((value) => ({ value })) }
      const { variations } = await api.createFlag({ projectKey: 'shop', body }, { as })
      const idOf = (personIndex = 0) => variations[personIndex]?._id as string
      const weightedVariations = fallthrough?.rollout?.variations ?? []
      const instructions = [
        { kind: 'turnFlagOn' },
        // Omits the fifth rule, which needs a segment: it is not needed to measure counting.
        ...(rules ?? []).slice(0, 4).map(({ variation, clauses }) => ({
          kind: 'addRule',
          clauses,
          variationId: idOf(variation as number),
        })),
        {
          kind: 'updateFallthroughVariationOrRollout',
          rolloutWeights: Object.fromEntries(
            weightedVariations.map(({ variation, weight }) => [idOf(variation), weight]),
          ),
        },
      ]
      const change = { environmentKey: 'production', instructions } as never
      await api.patchFlag({ projectKey: 'shop', flagKey: key, body: change }, { as })
      const flags = evaluator(environmentKeys)
      await flags.ready()
      return () => {
        for (let index = 0; index < evaluationCount; index++)
          flags.evaluate('f', contexts[index % people.length] as never, 'none')
      }
    })
    const [ours, run] = (await Promise.all(tasks)) as [() => void, () => void]
    return await compare({
      suite: 'evaluation',
      case: '1,000 evaluations of an engine, counted',
      ours,
      peer: { name: 'the same, not counted', run },
    })
  } finally {
    for (const engine of engines) await engine.close()
  }
}

async function evaluateAsync(peer: EvaluationPeer): Promise<void> {
  for (let index = 0; index < evaluationCount; index++) await peer.evaluate(index % people.length)
}

function evaluateSync(peer: EvaluationPeer): void {
  for (let index = 0; index < evaluationCount; index++) peer.evaluate(index % people.length)
}

async function assertSameValues(ours: EvaluationPeer, peer: EvaluationPeer, count: number): Promise<void> {
  for (let personIndex = 0; personIndex < count; personIndex++) {
    const [ourValue, peerValue] = [await ours.evaluate(personIndex), await peer.evaluate(personIndex)]
    if (ourValue !== peerValue)
      throw new Error(`${peer.name} returns ${peerValue} for person ${personIndex}, expected ${ourValue}`)
  }
}

async function compiling(): Promise<Comparison[]> {
  const flags = Array.from({ length: 10_000 }, (_, personIndex) => flag(`flag-${personIndex}`))
  const text = JSON.stringify(flags)
  const replacement = flag('flag-77')
  const replacementText = JSON.stringify(replacement)
  const ready = compileRuleset({ flags, segments: [segment] })
  const context = contexts[4] as (typeof contexts)[number]
  let ruleset = ready
  const comparison = (name: string, ours: () => unknown, peer: string, run: () => unknown, slow: boolean) =>
    compare({ suite: 'evaluation', case: name, ours, peer: { name: peer, run }, slow })
  const parseFlags = () => JSON.parse(text)
  return [
    await comparison(
      '10,000 flags compiled',
      () => compileRuleset({ flags, segments: [segment] }),
      'JSON.parse of them',
      parseFlags,
      true,
    ),
    await comparison(
      '10,000 flags compiled and all evaluated',
      () => evaluateAll(compileRuleset({ flags, segments: [segment] }), context),
      'JSON.parse of them',
      parseFlags,
      true,
    ),
    await comparison(
      'one of 10,000 flags replaced and evaluated',
      () => {
        ruleset = replaceFlag(ruleset, replacement)
        return evaluate(ruleset, 'flag-77', context)
      },
      'JSON.parse of it',
      () => JSON.parse(replacementText),
      false,
    ),
  ]
}
