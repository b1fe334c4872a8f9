import type { ReadContext } from '../../operation/context.ts'
import type { Placed } from '../../operation/find-placed.ts'
import type { Reader } from '../../storage/reader.ts'
import { findInVisibleProject } from '../projects/find-in-visible-project.ts'
import { type Deployment, deploymentPlaces, deployments } from './deployment.ts'

type FoundDeployment = Placed<Deployment, typeof deployments.template>

/** The deployment with this id, unless it is not there or in a project that the caller may not view. */
export function findDeployment(
  context: Pick<ReadContext, 'tx' | 'allowed'>,
  params: { readonly deploymentID: string },
): Promise<FoundDeployment | undefined> {
  return findInVisibleProject(context, deploymentPlaces, deployments, params)
}

/** Ids of what runs in an environment now: of each application the version that was finished last. */
export async function activeDeployments(
  tx: Reader,
  place: { readonly projectKey: string; readonly environmentKey: string },
  applicationKeys: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const newest = await Promise.all(
    [...new Set(applicationKeys)].map((applicationKey) =>
      tx.listRows(deployments, place, {
        where: [
          { op: 'equals', field: 'applicationKey', value: applicationKey },
          { op: 'exists', field: 'finishedAt', value: true },
        ],
        order: [{ field: 'finishedAt', type: 'number', descending: true }],
        limit: 1,
      }),
    ),
  )
  return new Set(newest.flatMap(({ items }) => items.map((row) => row.key)))
}
