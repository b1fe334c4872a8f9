import { releaseProject } from '../../release-pipelines/test/release-project.ts'

/** Property that limits the scope of a policy to production. */
export const inProduction = { scope: { environmentKeys: ['production'] } }

/** Creates the policies `a`, `b` and `c` with a scope, and the default `usual`. */
export async function rankedPolicies() {
  const project = await releaseProject()
  await project.addPolicy('usual')
  for (const key of ['a', 'b', 'c']) await project.addPolicy(key, inProduction)
  const { api, as, listPolicies, ofPolicy } = project
  return {
    ...project,
    ranks: async () => Object.fromEntries((await listPolicies()).items.map(({ key, rank }) => [key, rank])),
    remove: (key: string) => api.deleteReleasePolicy(ofPolicy(key), { as }),
    order: (body: readonly string[], caller = as) =>
      api.orderReleasePolicies({ projectKey: 'web', body }, { as: caller }),
    put: (key: string, overrides: object = {}, caller = as) =>
      api.putReleasePolicy(
        { ...ofPolicy(key), body: { name: key, releaseMethod: 'immediate-release', ...overrides } },
        { as: caller },
      ),
  }
}
