import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, environmentKeys, failureOf } from '../test/approval-project.ts'
import { protectedProject } from '../test/protected-project.ts'

const everything = ['proj/web', 'proj/web:env/*', 'proj/web:env/*:flag/*', 'proj/web:env/*:segment/*']
const withoutSettings: As = {
  policy: [{ effect: 'allow', resources: everything, notActions: ['updateApprovalSettings'] }],
}

describe('an environment that requires approval', () => {
  it.each(['flag', 'segment', 'aiconfig'])(
    'for the resource kind %s is deleted only by a caller who may change approval settings',
    async (kind) => {
      const { settings, api, as } = await protectedProject()
      await settings({ resourceKind: kind, required: true })
      const deletions = [
        (caller: As) => api.deleteEnvironment(environmentKeys, { as: caller }),
        (caller: As) => api.deleteProject({ projectKey: 'web' }, { as: caller }),
      ]
      for (const remove of deletions) {
        expect(await failureOf(remove(withoutSettings))).toMatchObject({ code: 'forbidden' })
        expect(await failureOf(remove({ role: 'writer' }))).toMatchObject({ code: 'forbidden' })
      }
      await deletions[0]?.({ policy: [allow(['*'], everything)] })
      const [entry] = (await api.listChangeLog({ limit: 1 }, { as })).items
      const resource = 'proj/web:env/production'
      expect(entry?.accesses).toEqual([
        { action: 'deleteEnvironment', resource },
        { action: 'updateApprovalSettings', resource },
      ])
    },
  )

  it('requires no approval after it was deleted and created again', async () => {
    const { guard, api, as } = await protectedProject()
    await guard()
    await api.deleteEnvironment(environmentKeys, { as })
    const body = { key: 'production', name: 'Production', color: '000000' }
    const created = await api.createEnvironment({ projectKey: 'web', body }, { as })
    expect(created).toMatchObject({ approvalSettings: { required: false }, resourceApprovalSettings: {} })
  })
})

describe('an environment without required approvals', () => {
  it('can be deleted by a caller who has only the right to delete it', async () => {
    const { api } = await protectedProject()
    await api.deleteEnvironment(environmentKeys, { as: withoutSettings })
    await api.deleteProject({ projectKey: 'web' }, { as: withoutSettings })
  })
})
