import { type Deployment, deploymentIndex, deployments } from '../../models/deployments/deployment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { LocatedDocument } from '../../operation/find-by-index.ts'
import type { Reader } from '../../storage/reader.ts'
import { environmentPartOfId } from './deployment-id.ts'

type DeploymentMatch = LocatedDocument<Deployment, typeof deployments.template>

/** Returns the deployment with an id, or undefined when it does not exist or the caller may not view its project. */
export async function findDeployment(
  context: Pick<ReadContext, 'tx' | 'allowed'>,
  { deploymentID }: { readonly deploymentID: string },
): Promise<DeploymentMatch | undefined> {
  const { tx } = context
  // In earlier versions, ids did not begin with a part for the environment, and each deployment had its own entry under
  // its whole id.
  const [byEnvironment, byWholeId] = await tx.getMany(deploymentIndex, [
    { place: environmentPartOfId(deploymentID) },
    { place: deploymentID },
  ])
  const environmentRef = byEnvironment ?? byWholeId
  if (!environmentRef) return undefined
  const { projectKey, environmentKey } = environmentRef
  const keys = { projectKey, environmentKey, deploymentID }
  const document = await tx.get(deployments, keys)
  return document && (await context.allowed('viewProject', projects, { projectKey })) ? { keys, document } : undefined
}

/**
 * Returns the ids of the deployments that currently run in an environment: for each application the version that
 * finished last.
 */
export async function activeDeployments(
  tx: Reader,
  environmentKeys: EnvironmentKeys,
  applicationKeys: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const newest = await Promise.all(
    [...new Set(applicationKeys)].map((applicationKey) =>
      tx.listRows(deployments, environmentKeys, {
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
