import * as v from 'valibot'
import { associatedRepositories } from '../../models/insight-repositories/project-repository.ts'
import { projects } from '../../models/projects/project.ts'
import { linkTo, pageLinks, path } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, key, links, list, page, timestamp } from '../../operation/schema.ts'
import { parseAddress } from '../../rules/address.ts'

const repositoryResponse = v.object({
  key: v.string(),
  projects: list(v.object({ key: v.string(), associatedAt: timestamp(), _links: links() })),
})

/**
 * Maximum number of associations of an account. All associations are read, to find those of the projects that the
 * caller may view.
 */
const maxAssociations = 100_000

export const listInsightRepositories = operation({
  id: 'listInsightRepositories',
  summary: 'List the repositories that are associated with projects, by key',
  method: 'GET',
  path: '/api/v2/engineering-insights/repositories',
  beta: 'tagged',
  query: v.object({ projectKey: v.optional(key()), ...page() }),
  success: { status: 200, body: collection(repositoryResponse) },
  errors: ['invalid_request'],
  access: { open: true, why: 'associations with projects that the caller may not view are omitted' },
  async handle(context, { query }) {
    const { projectKey, limit, offset } = query
    const scope = projectKey === undefined ? {} : { projectKey }
    const associations = await context.tx.listRows(associatedRepositories, scope, {
      deep: true,
      limit: maxAssociations,
    })
    const projectOf = (row: { readonly scope: string }) => parseAddress(row.scope)?.[0]?.key ?? ''
    const keys = [...new Set(associations.items.map(projectOf))]
    const allowed = await Promise.all(
      keys.map((projectKeyToCheck) => context.allowed('viewProject', projects, { projectKey: projectKeyToCheck })),
    )
    const visible = new Set(keys.filter((_, i) => allowed[i]))
    const byKey = new Map<string, { key: string; associatedAt: number }[]>()
    for (const row of associations.items) {
      const project = projectOf(row)
      if (!visible.has(project)) continue
      const repository = byKey.get(row.key) ?? []
      byKey.set(row.key, repository)
      repository.push({ key: project, associatedAt: row.fields.associatedAt as number })
    }
    const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      items: sorted.slice(offset, offset + limit).map(([repositoryKey, associated]) => ({
        key: repositoryKey,
        projects: associated
          .sort((a, b) => (a.key < b.key ? -1 : 1))
          .map((projectKeyToCheck) => ({
            key: projectKeyToCheck.key,
            associatedAt: context.format.time(projectKeyToCheck.associatedAt),
            _links: { self: linkTo(path`/api/v2/projects/${projectKeyToCheck.key}`) },
          })),
      })),
      totalCount: sorted.length,
      _links: pageLinks(context.url, query, sorted.length),
    }
  },
})
