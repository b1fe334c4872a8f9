import { jsonEqual } from '../../rules/json-equal.ts'
import { documents, type Versioned } from '../../storage/collection.ts'

/** The way of a flag into use: phases that follow each other, each for some audiences. */
export interface ReleasePipeline extends Versioned {
  /** Tells it from another one that had the same key before. */
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly phases: readonly PipelinePhase[]
  /** Releases in a legacy pipeline are advanced by a JSON Patch. */
  readonly isLegacy: boolean
  /** Grows when a release begins in it, so that it cannot be deleted or rebuilt at the same moment. */
  readonly holds: number
  readonly createdAt: number
}

export interface PipelinePhase {
  readonly id: string
  readonly name: string
  readonly audiences: readonly Audience[]
  /** What the phase's users keep with it; nothing here reads it. */
  readonly configuration: Readonly<Record<string, unknown>>
}

/** Who gets a flag in a phase: an environment, or some segments of it. */
export interface Audience {
  readonly environmentKey: string
  readonly name: string
  /** All of the environment where there are none. */
  readonly segmentKeys: readonly string[]
  readonly configuration?: AudienceConfiguration
}

export interface AudienceConfiguration {
  readonly releaseStrategy: string
  readonly requireApproval: boolean
  readonly notifyMemberIds: readonly string[]
  readonly notifyTeamKeys: readonly string[]
  readonly releaseGuardianConfiguration?: ReleaseGuardianConfiguration
}

export interface ReleaseGuardianConfiguration {
  readonly monitoringWindowMilliseconds: number
  /** Percent. */
  readonly rolloutWeight: number
  readonly rollbackOnRegression: boolean
  /** A kind of context. */
  readonly randomizationUnit?: string
}

/** Most pipelines of a project. */
export const mostPipelines = 20

export const releasePipelines = documents<ReleasePipeline>()({
  name: 'release-pipeline',
  address: 'proj/{projectKey}:release-pipeline/{pipelineKey}',
  fields: ({ name, description, tags, phases, createdAt }) => ({
    name,
    description,
    tags,
    environmentKeys: environmentsIn(phases),
    createdAt,
  }),
  changes: {
    id: null,
    key: null,
    name: 'updateReleasePipelineName',
    description: 'updateReleasePipelineDescription',
    tags: 'updateReleasePipelineTags',
    phases: {
      actions: ['updateReleasePipelinePhase', 'updateReleasePipelinePhaseName'],
      of: (before, after) => [
        ...(sameButForNames(before.phases, after.phases) ? [] : ['updateReleasePipelinePhase' as const]),
        ...(renames(before.phases, after.phases) ? ['updateReleasePipelinePhaseName' as const] : []),
      ],
    },
    isLegacy: null,
    holds: null,
    createdAt: null,
  },
})

/** The environments that phases name, each once. */
export function environmentsIn(phases: readonly { readonly audiences: readonly Audience[] }[]): string[] {
  return [...new Set(phases.flatMap(({ audiences }) => audiences.map(({ environmentKey }) => environmentKey)))]
}

/** Whether phases are the same ones, in the same order and for the same audiences. */
export function sameButForNames(before: readonly PipelinePhase[], after: readonly PipelinePhase[]): boolean {
  return jsonEqual(before.map(unnamed), after.map(unnamed))
}

function unnamed({ name, ...rest }: PipelinePhase): Omit<PipelinePhase, 'name'> {
  return rest
}

function renames(before: readonly PipelinePhase[], after: readonly PipelinePhase[]): boolean {
  const names = new Map(before.map(({ id, name }) => [id, name]))
  return after.some(({ id, name }) => names.has(id) && names.get(id) !== name)
}
