import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { moment } from '../../operation/schema.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import { byFlag } from './by-flag.ts'
import { findExtinctions } from './extinction.ts'
import { extinctionsWire, presentExtinction } from './extinction-wire.ts'
import { mostRepositories, repositories } from './repository.ts'

export const listExtinctions = operation({
  id: 'listExtinctions',
  summary: 'List the commits with which flags left branches, by flag key and newest first',
  method: 'GET',
  path: '/api/v2/code-refs/extinctions',
  query: v.object({
    repoName: v.optional(v.string()),
    branchName: v.optional(v.string()),
    projKey: v.optional(v.string()),
    flagKey: v.optional(v.string()),
    from: v.optional(moment(), 0),
    to: v.optional(moment(), 8_640_000_000_000_000),
  }),
  success: { status: 200, body: extinctionsWire },
  errors: ['invalid_request'],
  access: { open: true, why: 'repositories that the caller may not view are left out' },
  async handle(context, { query }) {
    const repos = await visibleRepositories(context, query.repoName)
    const found = await Promise.all(repos.map((repo) => findExtinctions(context.tx, repo, query)))
    const newestFirst = found.flat().sort((a, b) => b.time - a.time)
    return {
      _links: { self: linkTo(context.url) },
      items: byFlag(newestFirst.map((one) => [one.flagKey, presentExtinction(context, one)])),
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
    { limit: mostRepositories, offset: 0 },
  )
  return items.map(({ name }) => name)
}
