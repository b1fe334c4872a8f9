import { type Environment, environments } from '../../models/environments/environment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { serializeEnvironment } from './environment-schema.ts'

/** Maximum number of environments in a project. A response can therefore contain all of them. */
export const maxEnvironments = 100

/** Returns all environments of a project, ordered by key. */
export function listEnvironmentsOf(context: ReadContext, params: { readonly projectKey: string }) {
  return context.tx.list(environments, params, { limit: maxEnvironments })
}

/** Serializes a list of environments for the response of a project or of a list. */
export async function serializeEnvironments(
  context: ReadContext,
  projectKey: string,
  list: readonly Environment[],
  totalCount = list.length,
) {
  return {
    items: await Promise.all(list.map((environment) => serializeEnvironment(context, projectKey, environment))),
    totalCount,
    _links: { self: linkTo(path`/api/v2/projects/${projectKey}/environments`) },
  }
}
