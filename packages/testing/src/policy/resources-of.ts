import type { CallOptions, Engine } from '@halyard/core'
import type { Resource, ResourceLevel } from '@halyard/core/policy'

/** Maximum number of items of a list response. */
const pageSize = 100

interface Page<Item> {
  readonly items: readonly Item[]
  readonly totalCount: number
}

/**
 * Returns the stored resources of an engine as resources of policies: the account, projects, environments, flags,
 * segments and roles, with their tags and properties.
 *
 * A flag appears once in each environment, and once for all of them (`env/*`), because it has settings for single
 * environments and settings for all of them.
 *
 * @param call caller of the lists; resources that it may not view are omitted. Default: the base role `reader`.
 * @throws ApiError as the list operations do.
 *
 * @example
 * ```ts
 * import { createTestEngine, resourcesOf } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * const resources = await resourcesOf(engine)
 * console.log(resources.some(([first]) => first?.kind === 'proj' && first.key === 'web')) // true
 * ```
 */
export async function resourcesOf(engine: Engine, call: CallOptions = { as: { role: 'reader' } }): Promise<Resource[]> {
  const { api } = engine
  const projects = await listAll((page) => api.listProjects(page, call))
  const roles = await listAll((page) => api.listRoles(page, call))
  const resources: Resource[] = [
    [{ kind: 'acct', key: '' }],
    [{ kind: 'ip-allowlist', key: '' }],
    ...roles.map(({ key }) => [{ kind: 'role', key }]),
  ]
  for (const { key, tags } of projects)
    resources.push(...(await resourcesOfProject(engine, { kind: 'proj', key, tags }, call)))
  return resources
}

async function resourcesOfProject({ api }: Engine, project: ResourceLevel, call: CallOptions): Promise<Resource[]> {
  const projectKey = project.key
  const environments = await listAll((page) => api.listEnvironments({ projectKey, ...page }, call))
  const flags = await listAll((page) => api.listFlags({ projectKey, ...page }, call))
  const flagLevels = flags.map(({ key, tags }): ResourceLevel => ({ kind: 'flag', key, tags }))
  const resources: Resource[] = [[project], ...flagLevels.map((flag) => [project, { kind: 'env', key: '*' }, flag])]
  for (const { key, tags, critical } of environments) {
    const environment: ResourceLevel = { kind: 'env', key, tags, properties: { critical } }
    const params = { projectKey, environmentKey: key }
    const segments = await listAll((page) => api.listSegments({ ...params, ...page }, call))
    resources.push([project, environment], ...flagLevels.map((flag) => [project, environment, flag]))
    resources.push(
      ...segments.map((segment) => [project, environment, { kind: 'segment', key: segment.key, tags: segment.tags }]),
    )
  }
  return resources
}

async function listAll<Item>(list: (page: { limit: number; offset: number }) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const page = await list({ limit: pageSize, offset: items.length })
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= page.totalCount) return items
  }
}
