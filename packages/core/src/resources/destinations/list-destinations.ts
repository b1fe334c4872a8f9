import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { destinations } from './destination.ts'
import { destinationResponse, serializeDestination } from './destination-response.ts'

// Not defined by `listOperation`, because the documents are in many scopes.
export const listDestinations = operation({
  id: 'listDestinations',
  summary: 'List the destinations of all environments that the caller may view, oldest first',
  method: 'GET',
  path: '/api/v2/destinations',
  query: v.object(page()),
  success: { status: 200, body: collection(destinationResponse) },
  errors: ['invalid_request'],
  access: { open: true, why: 'destinations in projects that the caller may not view are omitted' },
  async handle(context, { query }) {
    const destinationPage = await context.tx.list(
      destinations,
      {},
      {
        deep: true,
        where: [{ op: 'anyOf', field: 'projectKey', values: await visibleProjects(context) }],
        order: [{ field: 'createdAt', type: 'number' }],
        limit: query.limit,
        offset: query.offset,
      },
    )
    return {
      items: await Promise.all(destinationPage.items.map((destination) => serializeDestination(context, destination))),
      totalCount: destinationPage.total,
      _links: pageLinks(context.url, query, destinationPage.total),
    }
  },
})

const pageSize = 1000

/** Returns the keys of the projects with destinations that the caller may view. */
async function visibleProjects(context: ReadContext): Promise<string[]> {
  const keys = new Set<string>()
  for (let offset = 0, hasMore = true; hasMore; offset += pageSize) {
    const { items, total } = await context.tx.listRows(destinations, {}, { deep: true, limit: pageSize, offset })
    for (const { fields } of items) keys.add(fields.projectKey as string)
    hasMore = offset + pageSize < total
  }
  const visible = await Promise.all(
    [...keys].map((projectKey) => context.allowed('viewProject', projects, { projectKey })),
  )
  return [...keys].filter((_, index) => visible[index])
}
