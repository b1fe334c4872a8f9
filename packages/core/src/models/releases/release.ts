import { currentPhase, type PhaseStatus } from '../../rules/release/progression.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import type { Condition } from '../../storage/port.ts'
import type { Audience, PipelinePhase } from '../release-pipelines/release-pipeline.ts'

/** A flag on its way through a release pipeline. */
export interface Release extends Versioned {
  /** Of this passage; another one begins when the pipeline is replaced. */
  readonly id: string
  /** The flag's key: a flag is in one pipeline at a time. */
  readonly key: string
  readonly pipelineId: string
  readonly pipelineKey: string
  /** What pipeline and phases are called should the pipeline be gone. */
  readonly pipelineName: string
  readonly pipelineDescription: string
  readonly isLegacy: boolean
  /** The variation of the flag that phases serve. */
  readonly variationId: string
  readonly phases: readonly ReleasePhase[]
  readonly createdAt: number
  readonly completedAt?: number
}

export interface ReleasePhase extends PipelinePhase {
  readonly audiences: readonly ReleaseAudience[]
  readonly status: PhaseStatus
  readonly startedAt?: number
  readonly completedAt?: number
  readonly completedBy?: { readonly memberId?: string; readonly tokenId?: string }
}

export interface ReleaseAudience extends Audience {
  readonly id: string
  /** The rules that the phase added for it to the flag. */
  readonly ruleIds: readonly string[]
}

export const releases = documents<Release>()({
  name: 'release',
  // That of its flag: whoever may do something to a flag may do it to its release.
  address: 'proj/{projectKey}:env/*:flag/{flagKey}',
  fields: (release) => {
    const active = activePhase(release)
    return {
      pipelineId: release.pipelineId,
      state: active ? 'active' : 'completed',
      activePhaseId: active?.id ?? null,
      activePhaseStatus: active?.status ?? null,
      createdAt: release.createdAt,
      completedAt: release.completedAt ?? null,
    }
  },
  changes: {
    id: 'replaceReleasePipeline',
    key: null,
    pipelineId: 'replaceReleasePipeline',
    pipelineKey: 'replaceReleasePipeline',
    pipelineName: null,
    pipelineDescription: null,
    isLegacy: null,
    variationId: 'replaceReleasePipeline',
    phases: {
      actions: ['updateReleasePhaseStatus'],
      of: (before, after) => (before.id === after.id ? ['updateReleasePhaseStatus'] : []),
    },
    createdAt: null,
    completedAt: null,
  },
})

/** Whether a release is still on its way. */
export const releaseStates = ['active', 'completed'] as const

export type ReleaseState = (typeof releaseStates)[number]

/** The releases in a pipeline: all, or those in a state. */
export function releasesIn(pipelineId: string, state?: ReleaseState): Condition[] {
  const inPipeline: Condition = { op: 'equals', field: 'pipelineId', value: pipelineId }
  return state === undefined ? [inPipeline] : [inPipeline, { op: 'equals', field: 'state', value: state }]
}

/** The phase that is under way or comes next; none once the release is complete. */
export function activePhase({ phases }: Release): ReleasePhase | undefined {
  return phases[currentPhase(phases.map(({ status }) => status))]
}
