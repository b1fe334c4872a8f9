import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import {
  account,
  accountForEachTest,
  admin,
  base,
  deploymentAccount,
  environmentKeys,
  minute,
  now,
} from './test/deployment-account.ts'

accountForEachTest()

it('a deployment can be found by an id of the old format, which does not begin with a prefix for its environment', async () => {
  const storage = createMemoryStorage()
  const { api, report, onlyDeployment } = await deploymentAccount(storage)
  await report('finished', now)
  const { id } = await onlyDeployment()
  const inStorage = storage.account('default')
  const scope = 'proj/web:env/production'
  const stored = await inStorage.get({ collection: 'deployment', scope, key: id })
  const oldId = '0f3c1a52-77de-8b14-9c02-5d1be0a6f4e7'
  const body = { ...(stored?.body as object), id: oldId }
  const { fields } =
    (await inStorage.list({ collection: 'deployment', scope, limit: 1, select: 'fields' })).items[0] ?? {}
  await inStorage.commit([
    { do: 'insert', id: { collection: 'deployment', scope, key: oldId }, body, fields: { ...fields, id: oldId } },
    { do: 'insert', id: { collection: 'deployment-place', scope: '', key: oldId }, body: environmentKeys, fields: {} },
  ])
  expect(await api.getDeployment({ deploymentID: oldId }, admin)).toMatchObject({ id: oldId, status: 'finished' })
  const archived = [{ op: 'replace', path: '/archived', value: true }] as const
  expect((await api.patchDeployment({ deploymentID: oldId, body: archived }, admin)).archived).toBe(true)
  await api.deleteDeployment({ deploymentID: oldId }, admin)
  await expect(api.getDeployment({ deploymentID: oldId }, admin)).rejects.toMatchObject({ code: 'not_found' })
  expect((await onlyDeployment()).id).toBe(id)
})

describe('the active deployment', () => {
  const versions = async () =>
    (await account.list()).items
      .filter((deployment) => deployment.active)
      .map((deployment) => deployment.applicationVersion)

  it('is the version of each application that finished last', async () => {
    await account.report('finished', now - 5 * minute, { version: '1' })
    await account.report('finished', now - 3 * minute, { version: '2' })
    await account.report('failed', now - 2 * minute, { version: '3' })
    await account.report('finished', now - 9 * minute, { version: 'a1', applicationKey: 'api' })
    expect((await versions()).sort()).toEqual(['2', 'a1'])
  })

  it('is an older version after that version was deployed again', async () => {
    await account.report('finished', now - 5 * minute, { version: '1' })
    await account.report('finished', now - 3 * minute, { version: '2' })
    await account.report('finished', now - minute, { version: '1' })
    expect(await versions()).toEqual(['1'])
  })
})

describe('a deployment', () => {
  const viewer: Statement = { effect: 'allow', resources: ['proj/web'], actions: ['viewProject'] }
  const statementsWith = (action: string): Statement[] => [
    viewer,
    { effect: 'allow', resources: ['proj/web:env/production:deployment/*'], actions: [action] },
  ]
  let id: string

  beforeEach(async () => {
    await account.report('finished', now)
    id = (await account.onlyDeployment()).id
  })

  it('is returned by its id', async () => {
    expect(await account.api.getDeployment({ deploymentID: id }, admin)).toEqual(await account.onlyDeployment())
    const reader = { as: { policy: [viewer] } }
    expect(await account.api.getDeployment({ deploymentID: id }, reader)).toMatchObject({ id, active: true })
  })

  it('is not found by callers who may not view its project', async () => {
    const policy: Statement[] = [{ effect: 'allow', resources: ['proj/other'], actions: ['viewProject'] }]
    const as = { as: { policy } }
    const missing = { code: 'not_found' }
    await expect(account.api.getDeployment({ deploymentID: id }, as)).rejects.toMatchObject(missing)
    await expect(account.api.patchDeployment({ deploymentID: id, body: [] }, as)).rejects.toMatchObject(missing)
    await expect(account.api.deleteDeployment({ deploymentID: id }, as)).rejects.toMatchObject(missing)
    await expect(account.api.getDeployment({ deploymentID: 'nope' }, admin)).rejects.toMatchObject(missing)
  })

  it('is archived by a patch, which requires updateDeployment', async () => {
    const body = [{ op: 'replace', path: '/archived', value: true }]
    const denied = account.api.patchDeployment({ deploymentID: id, body }, { as: { policy: [viewer] } })
    await expect(denied).rejects.toMatchObject({ code: 'forbidden' })
    const patched = await account.api.patchDeployment(
      { deploymentID: id, body },
      { as: { policy: statementsWith('updateDeployment') } },
    )
    expect(patched).toMatchObject({ id, archived: true, status: 'finished', active: true })
    expect((await account.onlyDeployment()).archived).toBe(true)
  })

  it('accepts patches of its metadata, but not of other properties', async () => {
    const change = (body: { op: string; path: string; value: unknown }[]) =>
      account.api.patchDeployment({ deploymentID: id, body }, admin)
    expect((await change([{ op: 'add', path: '/metadata/note', value: 'x' }])).metadata).toEqual({ note: 'x' })
    for (const path of ['/id', '/history', '/status', '/applicationVersion']) {
      await expect(change([{ op: 'replace', path, value: 'x' }])).rejects.toMatchObject({ code: 'invalid_request' })
    }
    await expect(change([{ op: 'replace', path: '/archived', value: 'yes' }])).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'archived' }],
    })
  })

  it('responds with 409 when If-Match is stale', async () => {
    const body = [{ op: 'replace', path: '/archived', value: true }]
    const stale = { ...admin, ifMatch: '"7"' }
    const conflict = { code: 'optimistic_locking_error' }
    await expect(account.api.patchDeployment({ deploymentID: id, body }, stale)).rejects.toMatchObject(conflict)
    await expect(account.api.deleteDeployment({ deploymentID: id }, stale)).rejects.toMatchObject(conflict)
  })

  it('is deleted by callers with deleteDeployment, and can be reported again', async () => {
    const denied = account.api.deleteDeployment(
      { deploymentID: id },
      { as: { policy: statementsWith('updateDeployment') } },
    )
    await expect(denied).rejects.toMatchObject({ code: 'forbidden' })
    await account.api.deleteDeployment({ deploymentID: id }, { as: { policy: statementsWith('deleteDeployment') } })
    expect((await account.list()).totalCount).toBe(0)
    await expect(account.api.getDeployment({ deploymentID: id }, admin)).rejects.toMatchObject({ code: 'not_found' })
    await account.report('started', now)
    expect(await account.api.getDeployment({ deploymentID: id }, admin)).toMatchObject({ status: 'started' })
  })

  it('is deleted with its environment, and can be reported again when the environment is created again', async () => {
    await account.api.deleteEnvironment(environmentKeys, admin)
    await expect(account.api.getDeployment({ deploymentID: id }, admin)).rejects.toMatchObject({ code: 'not_found' })
    const body = { key: 'production', name: 'Production', color: '000000' }
    await account.api.createEnvironment({ projectKey: 'web', body }, admin)
    await account.report('started', now)
    expect(await account.api.getDeployment({ deploymentID: id }, admin)).toMatchObject({ status: 'started' })
  })

  it('is deleted with 204 and no body', async () => {
    expect(await account.send('DELETE', `${base}/deployments/${id}`)).toMatchObject({ status: 204, body: undefined })
    expect((await account.send('DELETE', `${base}/deployments/${id}`)).status).toBe(404)
  })
})
