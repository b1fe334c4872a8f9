import { expect, it } from 'vitest'
import { scoreOf } from '../../rules/insight-score/index.ts'
import { experimentProject } from '../experiments/test/experiment-project.ts'
import { environmentKeys } from '../flag-evaluations/test/controlled-storage.ts'

const day = 86_400_000
const contexts = Array.from({ length: 4_000 }, (_, index) => index)

/** Performs changes of flags and experiments, and counts which of them are releases, and which are in an experiment. */
async function scoredProject() {
  const project = await experimentProject()
  const { api, as, advance, change, evaluate } = project
  const running = new Set<string>()
  const releases: { readonly isCovered: boolean }[] = []
  const movedShares: number[] = []
  const values = (flagKey: string) => contexts.map((index) => evaluate(flagKey, index).value)
  return {
    ...project,
    releases,
    movedShares,
    /** Serves one of the variations of a flag to all contexts. */
    async release(flagKey: string, variationId: string) {
      advance(1_000)
      await change(flagKey, { kind: 'updateFallthroughVariationOrRollout', variationId })
      releases.push({ isCovered: running.delete(flagKey) })
    },
    async start(flagKey: string) {
      advance(1_000)
      const before = values(flagKey)
      await project.patch(flagKey, { kind: 'startIteration' })
      const after = values(flagKey)
      movedShares.push(after.filter((value, index) => value !== before[index]).length / contexts.length)
      running.add(flagKey)
      releases.push({ isCovered: true })
    },
    async stop(flagKey: string) {
      advance(1_000)
      await project.patch(flagKey, { kind: 'stopIteration' })
      running.delete(flagKey)
      releases.push({ isCovered: true })
    },
    scores: async () => (await api.getInsightsScores(environmentKeys, { as })).scores,
  }
}

it('scores rate the share of releases that belong to experiments, and the share of contexts that an experiment moves to another variation', async () => {
  const { createFlag, createExperiment, release, start, stop, advance, scores, releases, movedShares } =
    await scoredProject()
  const [on, off] = await createFlag('plain')
  releases.push({ isCovered: false })
  expect(await scores()).toMatchObject({
    experimentationCoverage: { indicator: 'unknown' },
    impactSize: { indicator: 'unknown' },
  })
  // Percentage of the contexts for each of two treatments. One treatment is the variation that was served before.
  const percents = { even: '50', few: '5', third: '33' }
  const variations: Record<string, { readonly on: string; readonly off: string }> = {}
  for (const [flagKey, percent] of Object.entries(percents)) {
    variations[flagKey] = await createExperiment(flagKey, percent)
    releases.push({ isCovered: false })
  }
  for (const flagKey of Object.keys(percents)) await start(flagKey)
  await release('plain', off)
  await release('plain', on)
  await stop('few')
  // Applies a winner, which ends the iteration; the next release of the same flag is in no experiment.
  await release('even', variations.even?.off ?? '')
  await release('even', variations.even?.on ?? '')

  const covered = releases.filter(({ isCovered }) => isCovered).length
  expect([covered, releases.length]).toEqual([5, 12])
  const { experimentationCoverage, impactSize } = await scores()
  expect(experimentationCoverage.score).toBe(scoreOf('experimentationCoverage', covered / releases.length))
  // The experiments moved a half, a twentieth and a third of the contexts: the median is a third.
  const median = movedShares.toSorted((a, b) => a - b)[1] as number
  expect(Math.abs(median - 0.33)).toBeLessThan(0.03)
  expect(impactSize.score).toBe(scoreOf('impactSize', 0.33))

  advance(31 * day)
  expect(await scores()).toMatchObject({
    experimentationCoverage: { indicator: 'notCalculated', lastPeriod: { score: experimentationCoverage.score } },
    impactSize: { indicator: 'notCalculated', lastPeriod: { score: impactSize.score } },
  })
  await release('third', variations.third?.on ?? '')
  // The iteration was still running, so the release that ended it was in the experiment.
  expect((await scores()).experimentationCoverage.score).toBe(scoreOf('experimentationCoverage', 1))
})
