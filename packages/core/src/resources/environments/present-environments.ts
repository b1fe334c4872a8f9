import { type Environment, environments } from '../../models/environments/environment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { presentEnvironment } from './environment-wire.ts'

/** Most environments that a project can have, so that an answer can hold all of them. */
export const mostEnvironments = 100

/** All environments of a project, by key. */
export function listEnvironmentsOf(context: ReadContext, params: { readonly projectKey: string }) {
  return context.tx.list(environments, params, { limit: mostEnvironments })
}

/** Environments as a project or a list of them shows them. */
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
