import * as v from 'valibot'
import { statistics } from '../../models/code-references/statistics.ts'
import { projects } from '../../models/projects/project.ts'
import { linkTo, path } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { link, list } from '../../operation/schema.ts'
import { parseAddress } from '../../rules/address.ts'

export const getRootStatistics = operation({
  id: 'getRootStatistics',
  summary: 'List links to the statistics of the projects that have code references',
  method: 'GET',
  path: '/api/v2/code-refs/statistics',
  success: { status: 200, body: v.object({ projects: list(link()), self: link() }) },
  errors: [],
  access: { open: true, why: 'projects that the caller may not view are omitted' },
  async handle(context) {
    const statisticsRows = await context.tx.listRows(statistics, {}, { deep: true, limit: Number.MAX_SAFE_INTEGER })
    const projectKeys = [...new Set(statisticsRows.items.map(({ scope }) => parseAddress(scope)?.[0]?.key ?? ''))]
    // References can contain keys of projects that do not exist.
    const storedProjects = await context.tx.getMany(
      projects,
      projectKeys.map((projectKey) => ({ projectKey })),
    )
    const visible = await Promise.all(
      storedProjects.map(
        (project) => project && context.allowed('viewProject', projects, { projectKey: project.key }, project),
      ),
    )
    return {
      projects: projectKeys
        .filter((_, i) => visible[i])
        .map((projectKey) => linkTo(path`/api/v2/code-refs/statistics/${projectKey}`)),
      self: linkTo('/api/v2/code-refs/statistics'),
    }
  },
})
