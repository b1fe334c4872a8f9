import { expect, it } from 'vitest'
import type { ExportedEvaluation } from '../../operation/exported-event.ts'
import { environmentKeys } from './test/destination-engine.ts'
import { exportingEngine } from './test/recording-exporter.ts'

const { environmentKey } = environmentKeys
const ann = { kind: 'user', key: 'ann' }

/** Makes an engine with a destination and the flags `tracked`, `fallthrough`, `rule` and `plain`, which are on. */
async function engineWithFlags() {
  const { engine, recorder, createFlag, as } = await exportingEngine()
  const clauses = [{ contextKind: 'user', attribute: 'key', op: 'in', negate: false, values: ['ann'] }]
  const instructions: Readonly<Record<string, readonly object[]>> = {
    tracked: [{ kind: 'updateTrackEvents', trackEvents: true }],
    fallthrough: [{ kind: 'updateTrackEventsFallthrough', trackEvents: true }],
    rule: [],
    plain: [],
  }
  for (const [flagKey, list] of Object.entries(instructions)) {
    const { variations } = await createFlag(flagKey)
    const rule = { kind: 'addRule', clauses, variationId: variations[0]?._id }
    const added = flagKey === 'rule' ? [rule] : []
    const patch = (items: readonly object[]) => {
      const body = { environmentKey, instructions: items } as never
      return engine.api.patchFlag({ projectKey: 'web', flagKey, body }, as)
    }
    const { environments } = await patch([{ kind: 'turnFlagOn' }, ...added, ...list])
    const ruleId = environments?.[environmentKey]?.rules?.[0]?._id
    if (ruleId) await patch([{ kind: 'updateRuleTrackEvents', ruleId, trackEvents: true }])
  }
  await engine.evaluator(environmentKeys).ready()
  await engine.runDueTasks()
  recorder.batches.length = 0
  return {
    engine,
    evaluate: (flagKey: string, key = 'ann') => engine.evaluate(flagKey, { kind: 'user', key }, false, environmentKeys),
    async exported() {
      await engine.sdk.flush()
      await engine.runDueTasks()
      const events = recorder.batches.flatMap(({ events }) => events)
      return events.filter((event): event is ExportedEvaluation => event.kind === 'evaluation')
    },
  }
}

it('a data export contains every evaluation of this process whose flag, rule or fallthrough tracks events, and no other', async () => {
  const { evaluate, exported } = await engineWithFlags()
  for (const flagKey of ['tracked', 'tracked', 'fallthrough', 'rule', 'plain']) evaluate(flagKey)
  evaluate('rule', 'bob')
  expect((await exported()).map(({ flagKey, contextKeys, variation }) => [flagKey, contextKeys, variation])).toEqual([
    ['tracked', { user: 'ann' }, 0],
    ['tracked', { user: 'ann' }, 0],
    ['fallthrough', { user: 'ann' }, 0],
    ['rule', { user: 'ann' }, 0],
  ])
})

it('a data export contains no evaluation by `peek`, `explain` or `evaluateAll`', async () => {
  const { engine, exported } = await engineWithFlags()
  const flags = engine.evaluator(environmentKeys)
  flags.peek('tracked', ann, false)
  flags.explain('tracked', ann)
  flags.evaluateAll(ann)
  expect(await exported()).toEqual([])
})
