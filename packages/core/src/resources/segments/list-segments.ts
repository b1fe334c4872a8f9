import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import { segments } from '../../models/segments/segment.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { filter } from '../../operation/filters/filter.ts'
import { page, sort } from '../../operation/schema.ts'
import { segmentsInViews } from '../view-filters/in-views.ts'
import { segmentConditions } from './segment-conditions.ts'
import { segmentResponse, serializeSegment } from './segment-schema.ts'

const order = sort(
  {
    name: 'text',
    creationDate: { field: 'createdAt', type: 'number' },
    lastModified: 'number',
    lastModifiedDate: { field: 'lastModified', type: 'number' },
  },
  'name',
)

export const listSegments = listOperation(segments, {
  id: 'listSegments',
  summary: 'List the segments of an environment',
  path: '/api/v2/segments/{projectKey}/{environmentKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: environments,
  query: v.object({ ...page(), sort: order, filter: v.optional(filter(segmentConditions), '') }),
  select: async ({ filter, sort }, context, keys) => ({
    where: await segmentsInViews(context, keys, filter),
    order: [sort],
  }),
  response: segmentResponse,
  serialize: (context, segment, keys) => serializeSegment(context, keys, segment),
})
