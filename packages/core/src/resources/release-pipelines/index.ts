import { createReleasePipeline } from './create-release-pipeline.ts'
import { deleteReleasePipeline } from './delete-release-pipeline.ts'
import { getReleasePipeline } from './get-release-pipeline.ts'
import { listReleasePipelines } from './list-release-pipelines.ts'
import { patchReleasePipeline } from './patch-release-pipeline.ts'
import { putReleasePipeline } from './put-release-pipeline.ts'

export const releasePipelineOperations = [
  listReleasePipelines,
  createReleasePipeline,
  getReleasePipeline,
  putReleasePipeline,
  patchReleasePipeline,
  deleteReleasePipeline,
] as const
