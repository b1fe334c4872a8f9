import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { destinations } from './destination.ts'
import { destinationWire, presentDestination } from './destination-wire.ts'

// Not defined by `listOperation`, because the documents are in many scopes.
export const listDestinations = operation({
  id: 'listDestinations',
  summary: 'List the destinations of all environments that the caller may view, oldest first',
  method: 'GET',
  path: '/api/v2/destinations',
  query: v.object(page()),
  success: { status: 200, body: collection(destinationWire) },
  errors: ['invalid_request'],
  access: { open: true, why: 'destinations in projects that the caller may not view are omitted' },
  async handle(context, { query }) {
    const found = await context.tx.list(
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
      items: await Promise.all(found.items.map((one) => presentDestination(context, one))),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})

const chunk = 1000

/** Returns the keys of the projects with destinations that the caller may view. */
async function visibleProjects(context: ReadContext): Promise<string[]> {
  const keys = new Set<string>()
  for (let offset = 0, more = true; more; offset += chunk) {
    const { items, total } = await context.tx.listRows(destinations, {}, { deep: true, limit: chunk, offset })
    for (const { fields } of items) keys.add(fields.projectKey as string)
    more = offset + chunk < total
  }
  const seen = await Promise.all(
    [...keys].map((projectKey) => context.allowed('viewProject', projects, { projectKey })),
  )
  return [...keys].filter((_, at) => seen[at])
}
