import { currentPhase, type PhaseStatus } from '../../rules/release/progression.ts'
import { type Subject, shortName } from '../../rules/sentences/sentence.ts'
import { documents, type ShownFormat, type Versioned } from '../../storage/collection.ts'
import type { Condition } from '../../storage/port.ts'
import { flags } from '../flags/flag.ts'
import type { Audience, PipelinePhase } from '../release-pipelines/release-pipeline.ts'

/** The release of a flag by a pipeline. */
export interface Release extends Versioned {
  /** Id of this release. Replacing the pipeline starts another release with another id. */
  readonly id: string
  /** Key of the flag. A flag is in one pipeline at a time. */
  readonly key: string
  readonly pipelineId: string
  readonly pipelineKey: string
  /** Names of the pipeline, used when the pipeline was deleted. */
  readonly pipelineName: string
  readonly pipelineDescription: string
  readonly isLegacy: boolean
  /** The variation that the phases serve. */
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
  /** Ids of the rules that the phase added to the flag for this audience. */
  readonly ruleIds: readonly string[]
  /** Id of the approval request that must be approved before the audience receives the released variation. */
  readonly approvalRequestId?: string
}

/**
 * Returns a phase in the form of responses, without properties that are computed from its pipeline and environments.
 */
function shownPhase(phase: ReleasePhase, time: ShownFormat['time']) {
  const { id, name, audiences, status, startedAt, completedAt, configuration } = phase
  return {
    _id: id,
    _name: name,
    complete: status === 'Complete',
    ...(completedAt === undefined ? {} : { _completionDate: time(completedAt) }),
    _audiences: audiences.map(({ id, ruleIds, name, configuration, segmentKeys, approvalRequestId }) => ({
      _id: id,
      name,
      ...(configuration ? { configuration } : {}),
      segmentKeys,
      _ruleIds: ruleIds,
      ...(approvalRequestId === undefined ? {} : { approvalRequestId }),
    })),
    status,
    started: startedAt !== undefined,
    ...(startedAt === undefined ? {} : { _startedDate: time(startedAt) }),
    configuration,
  }
}

/** Returns sentences about the phases of a release whose status changed. */
function phaseSentences(before: Release, after: Release, { it }: Subject): string[] {
  if (before.id !== after.id) return []
  const statuses = new Map(before.phases.map(({ id, status }) => [id, status]))
  const changed = after.phases.filter(({ id, status }) => statuses.get(id) !== status)
  return changed.length === 0
    ? [`changed the phases of ${it}`]
    : changed.map(({ name, status }) => `changed the phase ${shortName(name)} of ${it} to ${status}`)
}

export const releases = documents<Release>()({
  name: 'release',
  // The address of its flag, so that permissions on the flag include its release.
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
  noun: 'release',
  shown: {
    id: null,
    key: null,
    pipelineId: null,
    pipelineKey: 'releasePipelineKey',
    pipelineName: 'name',
    pipelineDescription: 'releasePipelineDescription',
    isLegacy: null,
    variationId: 'releaseVariationId',
    phases: (phases, { time }) => ({ phases: phases.map((phase) => shownPhase(phase, time)) }),
    createdAt: null,
    completedAt: null,
  },
  partOf: flags,
  sentences: {
    name: (_, whole) => `the release of ${whole}`,
    created: ({ pipelineName }, { it }) => `started ${it} with the pipeline ${shortName(pipelineName)}`,
    deleted: (_, { it }) => `deleted ${it}`,
    changed: {
      id: (_, { pipelineName }, { it }) => `restarted ${it} with the pipeline ${shortName(pipelineName)}`,
      pipelineId: () => [],
      pipelineKey: () => [],
      variationId: (before, after, { it }) => (before.id === after.id ? `changed the variation of ${it}` : []),
      phases: phaseSentences,
    },
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

/** States of a release. */
export const releaseStates = ['active', 'completed'] as const

export type ReleaseState = (typeof releaseStates)[number]

/** Conditions for the releases in a pipeline: all, or those in a state. */
export function releasesIn(pipelineId: string, state?: ReleaseState): Condition[] {
  const inPipeline: Condition = { op: 'equals', field: 'pipelineId', value: pipelineId }
  return state === undefined ? [inPipeline] : [inPipeline, { op: 'equals', field: 'state', value: state }]
}

/** Returns the phase that is running or next; undefined after the release is complete. */
export function activePhase({ phases }: Release): ReleasePhase | undefined {
  return phases[currentPhase(phases.map(({ status }) => status))]
}
