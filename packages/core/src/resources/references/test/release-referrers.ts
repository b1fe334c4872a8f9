import type { ReferenceAccount } from './reference-account.ts'
import { type MakeReferrer, type NamedReferrers, newFlag, web } from './referrer.ts'

/** Makes a pipeline with one audience, whose properties `more` overrides, and a flag that is released in it. */
async function newPipeline(account: ReferenceAccount, more: object, release: boolean) {
  const { call } = account
  const audience = { environmentKey: 'production', name: 'All', ...more }
  const phases = [{ name: 'One', audiences: [audience] }]
  await call('createReleasePipeline', { ...web, body: { key: 'host', name: 'host', phases } })
  if (release) {
    const flag = await newFlag(account, 'host')
    await call('putRelease', { ...flag, body: { releasePipelineKey: 'host' } })
    return () => call('getRelease', flag)
  }
  return () => call('getReleasePipeline', { ...web, pipelineKey: 'host' })
}

const configuration = (more: object) => ({
  configuration: { releaseStrategy: 'x', requireApproval: false, ...more },
})

const audienceReferrers = (collection: 'release-pipeline' | 'release'): [string, MakeReferrer][] => {
  const isRelease = collection === 'release'
  const makeReferrer = (audienceOf: (text: string) => object): MakeReferrer => {
    return (account, { text }) => newPipeline(account, audienceOf(text), isRelease)
  }
  const path = `${collection} phases.audiences`
  return [
    [`${path}.environmentKey -> environment`, makeReferrer((text) => ({ environmentKey: text }))],
    [`${path}.segmentKeys -> segment`, makeReferrer((text) => ({ segmentKeys: [text] }))],
    [`${path}.configuration.notifyMemberIds -> member`, makeReferrer((id) => configuration({ notifyMemberIds: [id] }))],
    [`${path}.configuration.notifyTeamKeys -> team`, makeReferrer((key) => configuration({ notifyTeamKeys: [key] }))],
  ]
}

/** Referrers that are release pipelines, releases and release policies. */
export const releaseReferrers: NamedReferrers = [
  ...audienceReferrers('release-pipeline'),
  ...audienceReferrers('release'),
  [
    'project defaultReleasePipelineKey -> release-pipeline',
    // The first pipeline of a project is its default.
    async ({ call }) =>
      () =>
        call('getProject', web),
  ],
  [
    'release pipelineKey -> release-pipeline',
    async (account, { text }) => {
      const { call } = account
      const flag = await newFlag(account, 'host')
      const audiences = [{ environmentKey: 'production', name: 'All' }]
      const phases = [{ name: 'One', audiences }]
      const body = [{ op: 'replace', path: '/phases', value: phases }]
      await call('patchReleasePipeline', { ...web, pipelineKey: text, body })
      await call('putRelease', { ...flag, body: { releasePipelineKey: text } })
      return () => call('getRelease', flag)
    },
  ],
  [
    'release-policy guardedReleaseConfig.metricKeys -> metric',
    async ({ call }, { text }) => {
      const guardedReleaseConfig = { metricKeys: [text] }
      const body = { key: 'host', name: 'Host', releaseMethod: 'guarded-release', guardedReleaseConfig }
      await call('createReleasePolicy', { ...web, body })
      return () => call('getReleasePolicy', { ...web, policyKey: 'host' })
    },
  ],
  [
    'release-policy scope.environmentKeys -> environment',
    async ({ call }, { text }) => {
      for (const [key, environmentKeys] of [
        ['only', [text]],
        ['both', [text, 'production']],
      ] as const) {
        const body = { key, name: key, releaseMethod: 'immediate-release', scope: { environmentKeys } }
        await call('createReleasePolicy', { ...web, body })
      }
      return () => call('listReleasePolicies', web)
    },
  ],
  [
    'release-policy-ranking scoped -> release-policy',
    async ({ call }) =>
      () =>
        call('listReleasePolicies', web),
  ],
]
