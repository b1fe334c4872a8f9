import * as v from 'valibot'
import { maxRepositories, repositories } from '../../models/code-references/repository.ts'
import type { ReadContext } from '../../operation/context.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { visiblePage } from '../../operation/pages/visible-page.ts'
import { moment, page } from '../../operation/schema.ts'
import { byFlag } from './by-flag.ts'
import { extinctionConditions, extinctions, newestFirst } from './extinction.ts'
import { extinctionsResponse, serializeExtinction } from './extinction-schema.ts'

/** Maximum and default page size, so that clients without support for pages get the whole of an ordinary history. */
const maxExtinctions = 1000

export const listExtinctions = operation({
  id: 'listExtinctions',
  summary: 'List extinction events by flag key, newest first',
  method: 'GET',
  path: '/api/v2/code-refs/extinctions',
  query: v.object({
    repoName: v.optional(v.string()),
    branchName: v.optional(v.string()),
    projKey: v.optional(v.string()),
    flagKey: v.optional(v.string()),
    from: v.optional(moment(), 0),
    to: v.optional(moment(), 8_640_000_000_000_000),
    ...page({ limit: maxExtinctions, maxLimit: maxExtinctions }),
  }),
  success: { status: 200, body: extinctionsResponse },
  errors: ['invalid_request'],
  access: { open: true, why: 'repositories that the caller may not view are omitted' },
  async handle(context, { query }) {
    const repos = await visibleRepositories(context, query.repoName)
    const { limit, offset } = query
    const conditions = extinctionConditions(repos, query)
    const extinctionPage = await context.tx.list(
      extinctions,
      {},
      { deep: true, where: conditions, order: newestFirst, limit, offset },
    )
    return {
      _links: pageLinks(context.url, query, extinctionPage.total),
      items: byFlag(
        extinctionPage.items.map((extinction) => [extinction.flagKey, serializeExtinction(context, extinction)]),
      ),
      totalCount: extinctionPage.total,
    }
  },
})

async function visibleRepositories(context: ReadContext, repoName: string | undefined): Promise<string[]> {
  const { items } = await visiblePage(
    context,
    {
      collection: repositories,
      scope: {},
      action: 'viewCodeReferenceRepository',
      where: repoName === undefined ? [] : [{ op: 'equals', field: 'key', value: repoName }],
    },
    { limit: maxRepositories, offset: 0 },
  )
  return items.map(({ name }) => name)
}
