import type { As } from '../../../index.ts'
import { flagProject } from '../../flags/test/flag-project.ts'

/** Header that beta operations require. */
export const beta = { 'svc-api-version': 'beta' }

/** Path of the links of the flag `checkout`. */
export const path = '/api/v2/flag-links/projects/web/flags/checkout'

/** Creates the project `web` with the flag `checkout`, and functions that call the operations on its links. */
export async function flagLinkProject() {
  const project = await flagProject()
  await project.create('checkout', { tags: ['shop'] })
  const keys = { projectKey: 'web', flagKey: 'checkout' }
  const { api, as } = project
  const list = async (query: object = {}) => (await api.listFlagLinks({ ...keys, ...query }, { as })).items
  return {
    ...project,
    keys,
    link: (body: object = {}, caller: As = as) =>
      api.createFlagLink({ ...keys, body: { deepLink: 'https://example.com/1', ...body } }, { as: caller }),
    change: (id: string, operations: readonly object[], caller: As = as) =>
      api.updateFlagLink({ ...keys, id, body: operations as never }, { as: caller }),
    remove: (id: string, caller: As = as) => api.deleteFlagLink({ ...keys, id }, { as: caller }),
    list,
    titles: async () => (await list()).map(({ title }) => title),
  }
}

/** A JSON Patch that replaces one property. */
export const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]
