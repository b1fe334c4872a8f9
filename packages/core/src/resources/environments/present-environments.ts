import { type Environment, environments } from '../../models/environments/environment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { presentEnvironment } from './environment-wire.ts'

/** Maximum number of environments in a project. A response can therefore contain all of them. */
export const mostEnvironments = 100

/** Returns all environments of a project, ordered by key. */
export function listEnvironmentsOf(context: ReadContext, params: { readonly projectKey: string }) {
  return context.tx.list(environments, params, { limit: mostEnvironments })
}

/** Serializes a list of environments for the response of a project or of a list. */
export async function presentEnvironments(
  context: ReadContext,
  projectKey: string,
  list: readonly Environment[],
  totalCount = list.length,
) {
  return {
    items: await Promise.all(list.map((one) => presentEnvironment(context, projectKey, one))),
    totalCount,
    _links: { self: linkTo(path`/api/v2/projects/${projectKey}/environments`) },
  }
}
