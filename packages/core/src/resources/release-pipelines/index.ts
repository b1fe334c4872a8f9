import { releasePipelines as releasePipelineDocuments } from '../../models/release-pipelines/release-pipeline.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const releasePipelines = resource({
  title: 'Release pipelines',
  description: 'Phases that a flag passes through until it is released to production.',
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
  operations: Object.values(operations),
})
