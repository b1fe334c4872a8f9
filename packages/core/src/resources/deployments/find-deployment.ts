import { type Deployment, deploymentPlaces, deployments } from '../../models/deployments/deployment.ts'
import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { LocatedDocument } from '../../operation/find-by-index.ts'
import type { Reader } from '../../storage/reader.ts'
import { placeOfId } from './deployment-id.ts'

type FoundDeployment = LocatedDocument<Deployment, typeof deployments.template>

/** The deployment with this id, unless it is not there or in a project that the caller may not view. */
export async function findDeployment(
  context: Pick<ReadContext, 'tx' | 'allowed'>,
  { deploymentID }: { readonly deploymentID: string },
): Promise<FoundDeployment | undefined> {
  const { tx } = context
  // Before ids began with their environment each deployment had a place of its own, under its whole id.
  const [ofEnvironment, ofItsOwn] = await tx.getMany(deploymentPlaces, [
    { place: placeOfId(deploymentID) },
    { place: deploymentID },
  ])
  const place = ofEnvironment ?? ofItsOwn
  if (!place) return undefined
  const { projectKey, environmentKey } = place
  const keys = { projectKey, environmentKey, deploymentID }
  const document = await tx.get(deployments, keys)
  return document && (await context.allowed('viewProject', projects, { projectKey })) ? { keys, document } : undefined
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
