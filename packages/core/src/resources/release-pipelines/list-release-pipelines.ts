import * as v from 'valibot'
import { listCard } from '../../operation/cards/list-card.ts'
import { page } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import { listFilter } from '../members/list-filter-wire.ts'
import { projects } from '../projects/project.ts'
import { showsProject } from '../projects/project-wire.ts'
import { releasePipelines } from './release-pipeline.ts'
import { pipelineWire, presentPipeline } from './release-pipeline-wire.ts'

const listQuery = v.object({ ...page(), filter: listFilter('query', 'env') })

export const listReleasePipelines = listCard(releasePipelines, {
  id: 'listReleasePipelines',
  summary: "List a project's release pipelines, or those with an environment or a text in them",
  path: '/api/v2/projects/{projectKey}/release-pipelines',
  access: showsProject,
  within: projects,
  query: listQuery,
  select: ({ filter }) => ({ where: conditions(filter), order: [{ field: 'name', type: 'text' }] }),
  answer: pipelineWire,
  present: presentPipeline,
})

function conditions({ query, env }: v.InferOutput<typeof listQuery>['filter']): Condition[] {
  return [
    ...(query === undefined ? [] : [{ op: 'contains', in: ['key', 'name', 'description'], text: query } as const]),
    ...(env === undefined ? [] : [{ op: 'equals', field: 'environmentKeys', value: env } as const]),
  ]
}
