import * as v from 'valibot'
import { linkTo, path } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { link, list } from '../../operation/schema.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import { projects } from '../projects/project.ts'
import { statistics } from './statistics.ts'

const everything = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }

export const getRootStatistics = operation({
  id: 'getRootStatistics',
  summary: 'Link to the statistics of every project that has code references',
  method: 'GET',
  path: '/api/v2/code-refs/statistics',
  success: { status: 200, body: v.object({ projects: list(link()), self: link() }) },
  errors: [],
  access: { open: true, why: 'projects that the caller may not view are left out' },
  async handle(context) {
    const { items } = await visiblePage(context, { collection: projects, scope: {}, action: 'viewProject' }, everything)
    const counts = await Promise.all(
      items.map(({ key }) => context.tx.listRows(statistics, { projectKey: key }, { limit: 0 })),
    )
    return {
      projects: items
        .filter((_, i) => counts[i]?.total)
        .map(({ key }) => linkTo(path`/api/v2/code-refs/statistics/${key}`)),
      self: linkTo('/api/v2/code-refs/statistics'),
    }
  },
})
