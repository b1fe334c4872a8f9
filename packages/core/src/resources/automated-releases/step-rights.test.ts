import { expect, it } from 'vitest'
import { allow, flagProject, start } from '../flags/test/flag-project.ts'

const hour = 3_600_000
const flag = 'proj/web:env/production:flag/checkout'
const bob = { role: 'admin', memberId: 'bob' } as const

async function projectWithFlag() {
  const project = await flagProject()
  const { api, as, create, get, engine } = project
  await create('checkout')
  const [on, off] = (await get('checkout')).variations.map(({ _id }) => _id) as [string, string]
  const instructions = [
    { kind: 'turnFlagOn' },
    {
      kind: 'startAutomatedRelease',
      releaseKind: 'progressive',
      originalVariationId: off,
      targetVariationId: on,
      stages: [{ allocation: 10_000, durationMillis: hour }],
    },
  ]
  return {
    ...project,
    instructions,
    requireApproval: (overrides: object = {}) => {
      const settings = { environmentKey: 'production', required: true, ...overrides }
      return api.patchApprovalRequestSettings({ projectKey: 'web', body: settings as never }, { as })
    },
    release: async () => (await get('checkout')).environments?.production?.automatedReleases?.[0],
    served: async () => (await get('checkout')).environments?.production?.fallthrough,
    after: (ms: number) => {
      project.pass(ms)
      return engine.runDueTasks()
    },
  }
}

it('a release step is refused once its author has lost the right to the rule, and a caller who resumes the release becomes its author', async () => {
  const { api, as, instruct, instructions, release, served, after, memberId } = await projectWithFlag()
  const policy = (...actions: string[]) => [allow(['viewProject'], ['proj/*']), allow(actions, [flag])]
  await api.createRole(
    { body: { key: 'dev', name: 'Dev', policy: policy('updateOn', 'updateFallthrough') as never } },
    { as },
  )
  const { token } = await api.createToken({ body: { name: 'dev', customRoleIds: ['dev'] } as never }, { as })
  await instruct('checkout', instructions, {}, token as string)
  const first = await served()
  await api.patchRole(
    { roleKey: 'dev', body: [{ op: 'replace', path: '/policy', value: policy('updateOn') }] as never },
    { as },
  )
  expect(await after(hour)).toMatchObject({ failed: 1 })
  expect([await served(), await release()]).toMatchObject([
    first,
    { status: 'held', reason: expect.stringMatching(/Forbidden/) },
  ])
  expect((await api.listChangeLog({ limit: 1 }, { as })).items[0]?.titleVerb).toMatch(/^held the progressive release/)
  await instruct('checkout', [{ kind: 'resumeAutomatedRelease' }])
  expect((await release())?._maintainerId).toBe(memberId)
  await after(0)
  expect(await served()).toEqual({ variation: 0 })
})

it('a release step is held when its environment began to require approval after the start of the release', async () => {
  const { instruct, instructions, release, served, after, requireApproval } = await projectWithFlag()
  await instruct('checkout', instructions)
  const first = await served()
  await requireApproval()
  expect(await after(hour)).toMatchObject({ failed: 1 })
  expect([await served(), (await release())?.status]).toEqual([first, 'held'])
})

it('release steps need no further approval when the start was approved', async () => {
  const { api, as, instructions, release, served, after, requireApproval } = await projectWithFlag()
  await requireApproval()
  const { _id: id } = await api.createApprovalRequest(
    { body: { resourceId: flag, description: 'Release it', instructions } as never },
    { as },
  )
  await api.reviewApprovalRequest({ id, body: { kind: 'approve' } }, { as: bob })
  await api.applyApprovalRequest({ id, body: {} }, { as })
  expect(await release()).toMatchObject({ status: 'running', nextStepAt: String(start + hour) })
  expect(await after(hour)).toMatchObject({ delivered: 1, failed: 0 })
  expect(await served()).toEqual({ variation: 0 })
})

it('a release cannot be started without the approval that the environment requires', async () => {
  const { instruct, instructions, requireApproval, served, api, as } = await projectWithFlag()
  await requireApproval()
  await expect(instruct('checkout', instructions, {}, { role: 'writer', memberId: 'eve' })).rejects.toMatchObject({
    code: 'method_not_allowed',
  })
  expect(await served()).toEqual({ variation: 0 })
  const stages = [{ allocation: 1, durationMillis: 1 }]
  const body = {
    key: 'p',
    name: 'P',
    releaseMethod: 'progressive-release',
    progressiveReleaseConfig: { stages },
  } as const
  await api.createReleasePolicy({ projectKey: 'web', body }, { as })
  await expect(
    instruct('checkout', [{ kind: 'turnFlagOn' }], {}, { role: 'writer', memberId: 'eve' }),
  ).rejects.toMatchObject({ code: 'method_not_allowed' })
})
