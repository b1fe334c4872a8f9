import * as v from 'valibot'
import { projects } from '../../models/projects/project.ts'
import { type ReleasePipeline, releasePipelines } from '../../models/release-pipelines/release-pipeline.ts'
import type { ReadContext } from '../../operation/context.ts'
import {
  accessDetails,
  jsonObject,
  key,
  list,
  name,
  type Output,
  type Schema,
  tags,
  text,
  timestamp,
} from '../../operation/schema.ts'
import {
  audienceRequest,
  audienceResponse,
  audienceSerializer,
  checkReferenceCount,
  recipientsOf,
} from './audience-schema.ts'

const phaseRequest = v.strictObject({
  name: name(),
  audiences: v.pipe(list(audienceRequest), v.maxLength(100, 'must contain at most 100 audiences')),
  configuration: v.optional(jsonObject(), {}),
})

type Audience = Output<typeof audienceRequest>

const phasesOf = <Phase extends Schema>(phase: Phase) =>
  v.pipe(
    v.array(phase),
    v.minLength(1, 'must contain at least 1 phase'),
    v.maxLength(10, 'must contain at most 10 phases'),
    checkReferenceCount((phases) => (phases as { readonly audiences: readonly Audience[] }[]).flatMap(referencesIn)),
    v.readonly(),
  )

function referencesIn({ audiences }: { readonly audiences: readonly Audience[] }): string[] {
  return audiences.flatMap(({ environmentKey, segmentKeys, configuration }) => [
    environmentKey,
    ...segmentKeys,
    ...recipientsOf(configuration ?? {}),
  ])
}

/**
 * Request body that replaces a pipeline. Omitted properties are reset
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d20-release-pipelines).
 */
export const pipelineReplacement = v.strictObject({
  name: name(),
  phases: phasesOf(phaseRequest),
  description: v.optional(text(), ''),
  tags: v.optional(tags(), []),
})

/** Request body of the creation of a pipeline. */
export const pipelineRequest = v.strictObject({
  key: key(),
  ...pipelineReplacement.entries,
  isProjectDefault: v.optional(v.boolean(), false),
  isLegacy: v.optional(v.boolean(), false),
})

/** Properties that a patch may change. A phase with an id is kept; a phase without an id is new. */
export const pipelineSettings = v.object({
  ...pipelineReplacement.entries,
  phases: phasesOf(v.strictObject({ id: v.optional(v.string()), ...phaseRequest.entries })),
})

const pipelineObject = v.object({
  createdAt: timestamp(),
  key: v.string(),
  name: v.string(),
  phases: list(
    v.object({
      id: v.string(),
      name: v.string(),
      audiences: list(audienceResponse),
      configuration: v.record(v.string(), v.unknown()),
    }),
  ),
  description: v.string(),
  tags: list(v.string()),
  _version: v.number(),
  _access: accessDetails(),
  isProjectDefault: v.boolean(),
  _isLegacy: v.boolean(),
})

/** A release pipeline in a response. */
export interface ReleasePipelineResponse extends v.InferOutput<typeof pipelineObject> {}

export const pipelineResponse: v.GenericSchema<ReleasePipelineResponse> = pipelineObject

export interface PipelineKeys {
  readonly projectKey: string
  readonly pipelineKey: string
}

export async function serializePipeline(
  context: ReadContext,
  pipeline: ReleasePipeline,
  keys: PipelineKeys,
): Promise<ReleasePipelineResponse> {
  const [project, serializeAudience, access] = await Promise.all([
    context.tx.get(projects, keys),
    audienceSerializer(context, keys.projectKey, pipeline.phases),
    context.access(releasePipelines, keys, pipeline),
  ])
  return {
    createdAt: context.format.time(pipeline.createdAt),
    key: pipeline.key,
    name: pipeline.name,
    phases: pipeline.phases.map((phase) => ({ ...phase, audiences: phase.audiences.map(serializeAudience) })),
    description: pipeline.description,
    tags: pipeline.tags,
    _version: pipeline.version,
    _access: access,
    isProjectDefault: project?.defaultReleasePipelineKey === pipeline.key,
    _isLegacy: pipeline.isLegacy,
  }
}
