import { type ReleasePipeline, releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import type { UndoContext } from '../../operation/undo/undo-rules.ts'
import { completePipeline } from './complete-pipeline.ts'
import type { PipelineKeys } from './release-pipeline-schema.ts'

/** Writes an earlier state of a pipeline, by the rules for changes of it. Phases that come back keep their ids. */
export async function undoPipeline(
  context: UndoContext,
  keys: PipelineKeys,
  current: ReleasePipeline,
  wanted: ReleasePipeline,
): Promise<void> {
  const known = new Set(current.phases.map(({ id }) => id))
  const phases = wanted.phases.map(({ id, ...phase }) => (known.has(id) ? { id, ...phase } : phase))
  const completed = await completePipeline(context, keys, current, { ...wanted, phases })
  context.tx.replace(releasePipelines, keys, current, { ...completed, phases: wanted.phases })
}
