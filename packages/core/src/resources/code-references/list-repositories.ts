import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import { repositories } from './repository.ts'
import { presentRepository, repositoryWire } from './repository-wire.ts'

export const listRepositories = operation({
  id: 'listRepositories',
  summary: 'List the repositories that the caller may see, by name',
  method: 'GET',
  path: '/api/v2/code-refs/repositories',
  query: v.object(page()),
  success: { status: 200, body: collection(repositoryWire) },
  errors: ['invalid_request'],
  access: { open: true, why: 'what the caller may not view is left out' },
  async handle(context, { query }) {
    const found = await visiblePage(
      context,
      {
        collection: repositories,
        scope: {},
        action: 'viewCodeReferenceRepository',
      },
      query,
    )
    return {
      items: await Promise.all(found.items.map((repository) => presentRepository(context, repository))),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})
