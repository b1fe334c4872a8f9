import * as v from 'valibot'
import { type Project, projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { accessDetails, key, links, list, name, tags } from '../../operation/schema.ts'
import { environmentResponse } from '../environments/environment-schema.ts'

export const clientSideAvailability = v.strictObject({ usingEnvironmentId: v.boolean(), usingMobileKey: v.boolean() })

/** Properties of a project that a caller can set at creation and with a patch. */
export const projectSettings = v.object({
  name: name(),
  tags: tags(),
  includeInSnippetByDefault: v.boolean(),
  defaultClientSideAvailability: clientSideAvailability,
  defaultReleasePipelineKey: v.optional(key()),
})

/** The names of the settings that allow client-side SDKs to read new flags. */
export const projectSnippet = {
  alias: 'includeInSnippetByDefault',
  availability: 'defaultClientSideAvailability',
} as const

const projectObject = v.object({
  _links: links(),
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  tags: list(v.string()),
  includeInSnippetByDefault: v.boolean(),
  defaultClientSideAvailability: clientSideAvailability,
  defaultReleasePipelineKey: v.optional(v.string()),
  environments: v.optional(v.object({ items: list(environmentResponse), totalCount: v.number(), _links: links() })),
  _access: v.optional(accessDetails()),
})

/** A project in a response. */
export interface ProjectResponse extends v.InferOutput<typeof projectObject> {}

export const projectResponse: v.GenericSchema<ProjectResponse> = projectObject

/** The right to view the content of a project (docs/decisions/0002-decide-access-by-policy.md#d17-actions). */
export const viewsProject = { action: 'viewProject', resource: 'proj/{projectKey}' } as const

export async function serializeProject(
  context: ReadContext,
  project: Project,
  environments?: ProjectResponse['environments'],
): Promise<ProjectResponse> {
  const self = path`/api/v2/projects/${project.key}`
  return {
    _links: {
      self: linkTo(self),
      environments: linkTo(`${self}/environments`),
      flags: linkTo(path`/api/v2/flags/${project.key}`),
    },
    _id: project.id,
    key: project.key,
    name: project.name,
    tags: project.tags,
    includeInSnippetByDefault: project.defaultClientSideAvailability.usingEnvironmentId,
    defaultClientSideAvailability: project.defaultClientSideAvailability,
    ...(project.defaultReleasePipelineKey === undefined
      ? {}
      : { defaultReleasePipelineKey: project.defaultReleasePipelineKey }),
    ...(environments ? { environments } : {}),
    _access: await context.access(projects, { projectKey: project.key }, project),
  }
}
