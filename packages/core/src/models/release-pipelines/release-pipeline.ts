import { jsonEqual } from '../../rules/json-equal.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'

/** The steps of the release of a flag: consecutive phases, each for some audiences. */
export interface ReleasePipeline extends Versioned {
  /** Distinguishes this pipeline from an earlier one with the same key. */
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly phases: readonly PipelinePhase[]
  /** True for a legacy pipeline, whose releases are advanced by a JSON Patch. */
  readonly isLegacy: boolean
  /**
   * Increases when a release starts in the pipeline, so that the pipeline cannot be deleted or changed concurrently.
   */
  readonly holds: number
  readonly createdAt: number
}

export interface PipelinePhase {
  readonly id: string
  readonly name: string
  readonly audiences: readonly Audience[]
  /** Settings for the user's own tools, which the engine stores but does not read. */
  readonly configuration: Readonly<Record<string, unknown>>
}

/** The contexts that get a flag in a phase: an environment, or some of its segments. */
export interface Audience {
  readonly environmentKey: string
  readonly name: string
  /** Empty for the whole environment. */
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
  /** In percent. */
  readonly rolloutWeight: number
  readonly rollbackOnRegression: boolean
  /** A kind of context. */
  readonly randomizationUnit?: string
}

/** Maximum number of pipelines of a project. */
export const maxPipelines = 20

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
  shown: {
    id: null,
    phases: (phases) => ({
      phases: phases.map(({ audiences, ...phase }) => ({
        ...phase,
        audiences: audiences.map(({ environmentKey, ...audience }) => ({
          ...audience,
          environment: { key: environmentKey },
        })),
      })),
    }),
    isLegacy: '_isLegacy',
    holds: null,
    createdAt: shownTime('createdAt'),
  },
  changes: {
    id: null,
    key: null,
    name: 'updateReleasePipelineName',
    description: 'updateReleasePipelineDescription',
    tags: 'updateReleasePipelineTags',
    phases: {
      actions: ['updateReleasePipelinePhase', 'updateReleasePipelinePhaseName'],
      of: (before, after) => [
        ...(equalExceptNames(before.phases, after.phases) ? [] : ['updateReleasePipelinePhase' as const]),
        ...(hasRenames(before.phases, after.phases) ? ['updateReleasePipelinePhaseName' as const] : []),
      ],
    },
    isLegacy: null,
    holds: null,
    createdAt: null,
  },
})

/** Returns the keys of the environments of phases, each once. */
export function environmentsIn(phases: readonly { readonly audiences: readonly Audience[] }[]): string[] {
  return [...new Set(phases.flatMap(({ audiences }) => audiences.map(({ environmentKey }) => environmentKey)))]
}

/**
 * Returns true when two lists of phases are the same, in the same order and with the same audiences, except for the
 * names of the phases.
 */
export function equalExceptNames(before: readonly PipelinePhase[], after: readonly PipelinePhase[]): boolean {
  return jsonEqual(before.map(withoutName), after.map(withoutName))
}

function withoutName({ name, ...phase }: PipelinePhase): Omit<PipelinePhase, 'name'> {
  return phase
}

function hasRenames(before: readonly PipelinePhase[], after: readonly PipelinePhase[]): boolean {
  const names = new Map(before.map(({ id, name }) => [id, name]))
  return after.some(({ id, name }) => names.has(id) && names.get(id) !== name)
}
