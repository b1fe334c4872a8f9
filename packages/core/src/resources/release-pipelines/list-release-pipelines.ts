import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { anyText, termFilter, words } from '../../operation/filters/term-conditions.ts'
import { page } from '../../operation/schema.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { pipelineResponse, serializePipeline } from './release-pipeline-schema.ts'

const filter = termFilter({ query: words('key', 'name', 'description'), env: anyText('environmentKeys') })

export const listReleasePipelines = listOperation(releasePipelines, {
  id: 'listReleasePipelines',
  summary: 'List the release pipelines of a project, or only those that contain an environment or a text',
  path: '/api/v2/projects/{projectKey}/release-pipelines',
  access: viewsProject,
  within: projects,
  query: v.object({ ...page(), filter }),
  select: ({ filter: conditions }) => ({ where: conditions, order: [{ field: 'name', type: 'text' }] }),
  response: pipelineResponse,
  serialize: serializePipeline,
})
