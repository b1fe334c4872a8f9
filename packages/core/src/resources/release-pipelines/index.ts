import { releasePipelines as releasePipelineDocuments } from '../../models/release-pipelines/release-pipeline.ts'
import { resource } from '../../operation/resource.ts'
import { createReleasePipeline } from './create-release-pipeline.ts'
import { deleteReleasePipeline } from './delete-release-pipeline.ts'
import { getReleasePipeline } from './get-release-pipeline.ts'
import { listReleasePipelines } from './list-release-pipelines.ts'
import { patchReleasePipeline } from './patch-release-pipeline.ts'
import { putReleasePipeline } from './put-release-pipeline.ts'

export const releasePipelines = resource({
  title: 'Release pipelines',
  description: 'Phases that a flag passes until it is released to production.',
  kinds: [
    {
      shape: 'proj:release-pipeline',
      actions: [
        'createReleasePipeline',
        'updateReleasePipelineName',
        'updateReleasePipelineDescription',
        'updateReleasePipelineTags',
        'updateReleasePipelinePhase',
        'updateReleasePipelinePhaseName',
        'deleteReleasePipeline',
      ],
    },
  ],
  collections: [releasePipelineDocuments],
  operations: [
    listReleasePipelines,
    createReleasePipeline,
    getReleasePipeline,
    putReleasePipeline,
    patchReleasePipeline,
    deleteReleasePipeline,
  ],
})
