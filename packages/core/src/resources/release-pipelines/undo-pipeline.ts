import { type ReleasePipeline, releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import { releases, releasesIn } from '../../models/releases/release.ts'
import type { UndoContext, UndoneUpdate, UndoOptions } from '../../operation/undo/undo-rules.ts'
import { completePipeline } from './complete-pipeline.ts'
import type { PipelineKeys } from './release-pipeline-schema.ts'

/** Writes an earlier state of a pipeline, by the rules for changes of it. Phases that come back keep their ids. */
export async function undoPipeline(
  context: UndoContext,
  { keys, current, wanted }: UndoneUpdate<ReleasePipeline, PipelineKeys>,
  options: UndoOptions,
): Promise<void> {
  const known = new Set(current.phases.map(({ id }) => id))
  const phases = wanted.phases.map(({ id, ...phase }) => (known.has(id) ? { id, ...phase } : phase))
  const restored = (await restoresAllReleases(context, keys, current, options)) ? { ...current, holds: 0 } : current
  const completed = await completePipeline(context, { keys, before: restored }, { ...wanted, phases })
  context.tx.replace(releasePipelines, keys, current, { ...completed, phases: wanted.phases })
}

/**
 * Returns true when the revert also changes the phases of all releases of a pipeline, because the reverted call changed
 * them together with the pipeline. The deletion of an environment is such a call.
 */
async function restoresAllReleases(
  { tx }: UndoContext,
  { projectKey }: PipelineKeys,
  { id }: ReleasePipeline,
  { documents }: UndoOptions,
): Promise<boolean> {
  const written = documents.filter(({ collection }) => collection.name === releases.name)
  const flagKeys = new Set(written.map(({ keys }) => keys.flagKey))
  const { items } = await tx.listRows(releases, { projectKey }, { where: releasesIn(id), limit: flagKeys.size + 1 })
  return items.every(({ key }) => flagKeys.has(key))
}
