import * as v from 'valibot'
import { listCard } from '../../operation/cards/list-card.ts'
import { anyText, termFilter, words } from '../../operation/filters/term-conditions.ts'
import { page } from '../../operation/schema.ts'
import { projects } from '../projects/project.ts'
import { showsProject } from '../projects/project-wire.ts'
import { releasePipelines } from './release-pipeline.ts'
import { pipelineWire, presentPipeline } from './release-pipeline-wire.ts'

const filter = termFilter({ query: words('key', 'name', 'description'), env: anyText('environmentKeys') })

export const listReleasePipelines = listCard(releasePipelines, {
  id: 'listReleasePipelines',
  summary: "List a project's release pipelines, or those with an environment or a text in them",
  path: '/api/v2/projects/{projectKey}/release-pipelines',
  access: showsProject,
  within: projects,
  query: v.object({ ...page(), filter }),
  select: ({ filter: where }) => ({ where, order: [{ field: 'name', type: 'text' }] }),
  answer: pipelineWire,
  present: presentPipeline,
})
