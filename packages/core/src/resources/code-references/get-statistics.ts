import * as v from 'valibot'
import { maxRepositories, repositories } from '../../models/code-references/repository.ts'
import { statistics } from '../../models/code-references/statistics.ts'
import { flags } from '../../models/flags/flag.ts'
import { projects } from '../../models/projects/project.ts'
import { linkTo, path } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import type { Reader } from '../../storage/reader.ts'
import { byFlag } from './by-flag.ts'
import { serializeStatistic, statisticsResponse } from './statistics-response.ts'

export const getStatistics = operation({
  id: 'getStatistics',
  summary: 'Get the number of references to the flags of a project on the default branches, by flag and repository',
  method: 'GET',
  path: '/api/v2/code-refs/statistics/{projectKey}',
  query: v.object({
    flagKey: v.optional(v.string()),
    includeUnknownFlags: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
  }),
  success: { status: 200, body: statisticsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const [project, storedStatistics] = await Promise.all([
      context.tx.get(projects, params),
      context.tx.list(statistics, params, { limit: maxRepositories }),
    ])
    if (!project) context.fail('not_found')
    const isRequested = (key: string) => query.flagKey === undefined || key === query.flagKey
    const keys = new Set(storedStatistics.items.flatMap((statistic) => Object.keys(statistic.flags)))
    const [storedRepositories, isCounted] = await Promise.all([
      context.tx.getMany(
        repositories,
        storedStatistics.items.map(({ repo }) => ({ repo })),
      ),
      query.includeUnknownFlags === 'true' ? () => true : flagTest(context.tx, params, [...keys].filter(isRequested)),
    ])
    // An entry contains properties of a repository and a link to it, so the caller must be allowed to view it.
    const visible = await Promise.all(
      storedRepositories.map(
        (repository) =>
          repository &&
          context.allowed('viewCodeReferenceRepository', repositories, { repo: repository.name }, repository),
      ),
    )
    const entries = storedStatistics.items.flatMap((statistic, i) => {
      const repository = visible[i] ? storedRepositories[i] : undefined
      const flags = Object.entries(statistic.flags).filter(([key]) => isRequested(key) && isCounted(key))
      if (!repository) return []
      return flags.map(([key, counts]) => [key, serializeStatistic(context, repository, statistic, counts)] as const)
    })
    return {
      _links: {
        self: linkTo(context.url),
        parent: linkTo('/api/v2/code-refs/statistics'),
        project: linkTo(path`/api/v2/projects/${params.projectKey}`),
      },
      flags: byFlag(entries),
    }
  },
})

/**
 * Returns a function that tests if the project has a flag with a key. Scanners also send keys of flags that do not
 * exist.
 */
async function flagTest(tx: Reader, { projectKey }: { readonly projectKey: string }, keys: readonly string[]) {
  const documents = await tx.getMany(
    flags,
    keys.map((flagKey) => ({ projectKey, flagKey })),
  )
  const existing = new Set(documents.flatMap((flag) => (flag ? [flag.key] : [])))
  return (key: string) => existing.has(key)
}
