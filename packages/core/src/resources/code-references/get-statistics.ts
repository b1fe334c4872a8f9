import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { linkTo, path } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { byFlag } from './by-flag.ts'
import { mostRepositories, repositories } from './repository.ts'
import { statistics } from './statistics.ts'
import { presentStatistic, statisticsWire } from './statistics-wire.ts'

export const getStatistics = operation({
  id: 'getStatistics',
  summary: 'Get the number of references to the flags of a project on the default branches, by flag and repository',
  method: 'GET',
  path: '/api/v2/code-refs/statistics/{projectKey}',
  query: v.object({ flagKey: v.optional(v.string()) }),
  success: { status: 200, body: statisticsWire },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const [project, counted] = await Promise.all([
      context.tx.get(projects, params),
      context.tx.list(statistics, params, { limit: mostRepositories }),
    ])
    if (!project) context.fail('not_found')
    const found = await context.tx.getMany(
      repositories,
      counted.items.map(({ repo }) => ({ repo })),
    )
    // An entry contains properties of a repository and a link to it, so the caller must be allowed to view it.
    const visible = await Promise.all(
      found.map((one) => one && context.allowed('viewCodeReferenceRepository', repositories, { repo: one.name }, one)),
    )
    const entries = counted.items.flatMap((one, i) => {
      const repository = visible[i] ? found[i] : undefined
      const flags = Object.entries(one.flags).filter(([key]) => query.flagKey === undefined || key === query.flagKey)
      if (!repository) return []
      return flags.map(([key, counts]) => [key, presentStatistic(context, repository, one, counts)] as const)
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
