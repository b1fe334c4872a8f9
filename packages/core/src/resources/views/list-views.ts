import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { views } from '../../models/views/view.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import {
  allTexts,
  anyText,
  oneWord,
  sameText,
  type TermFields,
  termFilter,
  words,
} from '../../operation/filters/term-conditions.ts'
import { page, sort } from '../../operation/schema.ts'
import { serializeView, viewResponse } from './view-schema.ts'

const fields: TermFields = {
  query: words('key', 'name', 'description'),
  key: anyText('key'),
  name: sameText('name'),
  tags: allTexts('tags'),
  maintainerId: anyText('maintainerId'),
  maintainerTeamKey: anyText('maintainerTeamKey'),
  archived: oneWord({
    true: { op: 'equals', field: 'archived', value: true },
    false: { op: 'equals', field: 'archived', value: false },
  }),
}

export const listViews = listOperation(views, {
  id: 'listViews',
  summary: 'List the views of a project that the caller may view',
  path: '/api/v2/projects/{projectKey}/views',
  beta: 'declared',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  visible: 'viewView',
  query: v.object({
    ...page(),
    sort: sort({ key: 'text', name: 'text', createdAt: 'number', updatedAt: 'number' }, 'key'),
    filter: termFilter(fields),
  }),
  select: ({ filter: where, sort }) => ({ where, order: [sort] }),
  response: viewResponse,
  serialize: serializeView,
})
