import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { guardian } from '../release-pipelines/test/release-project.ts'

const as = { role: 'owner' } as const
const flagKeys = { projectKey: 'web', flagKey: 'checkout' }
const configuration = {
  releaseStrategy: 'monitoredRelease' as const,
  requireApproval: false,
  releaseGuardianConfiguration: guardian,
}
const phases = [{ name: 'Everybody', audiences: [{ environmentKey: 'production', name: 'Everybody', configuration }] }]

type Shop = Awaited<ReturnType<typeof openShop>>

/** Opens an engine with the flag Checkout, whose guarded release can be started. */
async function openShop() {
  let now = Date.UTC(2026, 0, 31, 12)
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => now++ })
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  await api.createReleasePipeline({ projectKey: 'web', body: { key: 'usual', name: 'Usual', phases } }, { as })
  const release = await api.putRelease({ ...flagKeys, body: { releasePipelineKey: 'usual' } }, { as })
  const phaseId = release.phases[0]?._id ?? ''
  const { variations } = await api.getFlag(flagKeys, { as })
  return {
    api,
    start: () => api.putPhaseStatus({ ...flagKeys, phaseId, body: { status: 'Started' } }, { as }),
    instruct: (instruction: { readonly kind: string }) =>
      api.patchFlag(
        // Cast: the test names instructions of flags only.
        { ...flagKeys, body: { environmentKey: 'production', instructions: [instruction as never] } },
        { as },
      ),
    variationIds: variations.map(({ _id }) => _id as string),
    /** Advances the clock past a step of the release, which the engine then performs. */
    async step() {
      now += guardian.monitoringWindowMilliseconds
      await engine.runDueTasks()
    },
    entries: async () => (await api.listChangeLog({ limit: 20 }, { as })).items,
    flag: () => api.getFlag(flagKeys, { as }),
  }
}

/** Changes of the flag. Each either leaves the release unchanged, ends it, or deletes it. */
const changes = {
  start: ({ start }: Shop) => start(),
  'turn on': ({ instruct }: Shop) => instruct({ kind: 'turnFlagOn' }),
  'turn off': ({ instruct }: Shop) => instruct({ kind: 'turnFlagOff' }),
  target: ({ instruct, variationIds: [variationId] }: Shop) =>
    instruct({ kind: 'addTargets', variationId, values: ['ann'] } as never),
  'serve all': ({ instruct, variationIds: [variationId] }: Shop) =>
    instruct({ kind: 'updateFallthroughVariationOrRollout', variationId } as never),
  step: ({ step }: Shop) => step(),
  archive: ({ instruct }: Shop) => instruct({ kind: 'archiveFlag' }),
  'delete the release': ({ api }: Shop) => api.deleteRelease(flagKeys, { as }),
  'delete the flag': ({ api }: Shop) => api.deleteFlag(flagKeys, { as }),
  'delete the project': ({ api }: Shop) => api.deleteProject({ projectKey: 'web' }, { as }),
} as const

/** Returns the flag without the properties that count or date its changes. */
function withoutRevisions({ _version, ...flag }: Awaited<ReturnType<Shop['flag']>>): object {
  const environments = Object.entries(flag.environments ?? {}).map(([key, { lastModified, version, ...rest }]) => [
    key,
    rest,
  ])
  return { ...flag, environments: Object.fromEntries(environments) }
}

it('every change of a flag with a release can be reverted, newest first', async () => {
  const names = Object.keys(changes) as (keyof typeof changes)[]
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(fc.constantFrom(...names), { maxLength: 6 }), async (starts, chosen) => {
      const shop = await openShop()
      const first = withoutRevisions(await shop.flag())
      const { length } = await shop.entries()
      // A change that the current state does not allow is refused, and makes no entry.
      for (const name of starts ? (['start', ...chosen] as const) : chosen) await changes[name](shop).catch(() => {})
      const entries = await shop.entries()
      for (const { _id: id } of entries.slice(0, entries.length - length))
        await shop.api.revertChangeLogEntry({ id, bypassRequiredApproval: true }, { as })
      expect(withoutRevisions(await shop.flag())).toEqual(first)
    }),
    {
      numRuns: 60,
      examples: [
        // A restored flag gets no stored configuration where its configuration equals the default.
        [false, ['turn on', 'turn off', 'delete the flag']],
        // A release of the variation that is already served to all contexts changes nothing else.
        [false, ['turn on', 'start']],
      ],
    },
  )
}, 60_000)
