import type { Flag } from '../../models/flags/flag.ts'
import type { ReleasePipeline } from '../../models/release-pipelines/release-pipeline.ts'
import type { Release } from '../../models/releases/release.ts'
import type { WriteContext } from '../../operation/context.ts'
import { initialStatuses, type PhaseStatus } from '../../rules/release/progression.ts'

/** Makes the release of a flag in a pipeline. It serves nothing before its first phase is started. */
export function newRelease(
  context: Pick<WriteContext, 'useHost' | 'readClock'>,
  { key }: Flag,
  pipeline: ReleasePipeline,
  variationId: string,
): Omit<Release, 'version'> {
  const host = context.useHost()
  const now = context.readClock()
  const statuses = initialStatuses(pipeline.phases.length)
  return {
    id: host.newId(),
    key,
    pipelineId: pipeline.id,
    pipelineKey: pipeline.key,
    pipelineName: pipeline.name,
    pipelineDescription: pipeline.description,
    isLegacy: pipeline.isLegacy,
    variationId,
    phases: pipeline.phases.map((phase, index) => ({
      ...phase,
      status: statuses[index] as PhaseStatus,
      audiences: phase.audiences.map((audience) => ({ ...audience, id: host.newId(), ruleIds: [] })),
    })),
    createdAt: now,
  }
}
