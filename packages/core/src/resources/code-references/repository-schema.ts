import * as v from 'valibot'
import { type Repository, repositories, repositoryTypes } from '../../models/code-references/repository.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, links, storedOnly } from '../../operation/schema.ts'
import { branchName } from './branch-schema.ts'

const webAddress = () =>
  v.pipe(
    v.string(),
    v.maxLength(2048, 'must have at most 2048 characters'),
    v.regex(/^(https?:\/\/\S+)?$/i, 'must be an http or https URL'),
  )

/** Properties of a repository that a caller may set, at creation and by a patch. */
export const repositorySettings = v.object({
  type: v.optional(v.picklist(repositoryTypes, `must be one of ${repositoryTypes.join(', ')}`), 'custom'),
  sourceLink: v.optional(webAddress(), ''),
  commitUrlTemplate: v.optional(webAddress(), ''),
  hunkUrlTemplate: v.optional(webAddress(), ''),
  defaultBranch: v.optional(branchName(), 'main'),
  enabled: v.optional(storedOnly(v.boolean()), true),
})

/** Request body of the creation of a repository. */
export const repositoryRequest = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(
      /^[A-Za-z0-9][A-Za-z0-9._/-]{0,255}$/,
      'must be 1 to 256 letters, digits, ".", "_", "-" or "/", starting with a letter or digit',
    ),
  ),
  ...repositorySettings.entries,
})

export const repositoryObject = v.object({
  _links: links(),
  name: v.string(),
  type: v.picklist(repositoryTypes),
  sourceLink: v.string(),
  commitUrlTemplate: v.string(),
  hunkUrlTemplate: v.string(),
  defaultBranch: v.string(),
  enabled: storedOnly(v.boolean()),
  version: v.number(),
  _access: v.optional(accessDetails()),
})

/** A repository in a response. */
export interface RepositoryResponse extends v.InferOutput<typeof repositoryObject> {}

export const repositoryResponse: v.GenericSchema<RepositoryResponse> = repositoryObject

export async function serializeRepository(context: ReadContext, repository: Repository): Promise<RepositoryResponse> {
  const { projectKeys, createdAt, ...properties } = repository
  const self = repositoryPath(properties.name)
  return {
    ...properties,
    _links: {
      ...selfAndParent(self, '/api/v2/code-refs/repositories'),
      branches: linkTo(`${self}/branches`),
    },
    _access: await context.access(repositories, { repo: properties.name }, repository),
  }
}

/** Returns the path of a repository. */
export function repositoryPath(name: string): string {
  return path`/api/v2/code-refs/repositories/${name}`
}
