import { type Deployment, deployments } from '../../../models/deployments/deployment.ts'
import { stateOf } from '../../../models/deployments/deployment-history.ts'
import type { Keys } from '../../../storage/collection.ts'
import { type ApplicationSearch, findApplication } from './account-application.ts'

/** A deployment of a version to one environment. */
export interface DeployedVersion {
  readonly keys: Keys<typeof deployments.template>
  readonly document: Deployment
}

/** A version of an application: all deployments with this version, to all environments that the caller may view. */
export interface ApplicationVersion {
  readonly key: string
  readonly name: string
  /** Time at which the first of the deployments was reported, integer ms, UTC. */
  readonly createdAt: number
  /** False when a deployment is marked as not supported. */
  readonly supported: boolean
  /** The deployments of the version; at least one. */
  readonly parts: readonly DeployedVersion[]
}

/** Maximum number of deployments in each environment from which versions are computed: the latest ones. */
const maxDeployments = 1_000

/**
 * Returns the versions of an application, by key; undefined when the caller may view no environment that has it.
 *
 * @param versionKey the only version to return. Default: all versions.
 */
export async function findVersions(
  context: ApplicationSearch,
  applicationKey: string,
  versionKey?: string,
): Promise<ReadonlyMap<string, ApplicationVersion> | undefined> {
  const application = await findApplication(context, applicationKey)
  if (!application) return undefined
  const listed = await Promise.all(
    application.parts.map(async ({ keys: { projectKey, environmentKey } }) => {
      const { items } = await context.tx.list(
        deployments,
        { projectKey, environmentKey },
        {
          where: [{ op: 'equals', field: 'applicationKey', value: applicationKey }],
          order: [{ field: 'startedAt', type: 'number', descending: true }],
          limit: maxDeployments,
        },
      )
      return items.map((document) => ({ keys: { projectKey, environmentKey, deploymentID: document.id }, document }))
    }),
  )
  const parts = new Map<string, DeployedVersion[]>()
  for (const part of listed.flat()) {
    const { applicationVersion } = part.document
    if (versionKey !== undefined && applicationVersion !== versionKey) continue
    parts.set(applicationVersion, [...(parts.get(applicationVersion) ?? []), part])
  }
  return new Map([...parts].map(([key, each]) => [key, versionOf(key, each)]))
}

/** Returns the version with these deployments. It has the name of the deployment that started last. */
export function versionOf(key: string, parts: readonly DeployedVersion[]): ApplicationVersion {
  const documents = parts.map(({ document }) => document)
  const startOf = ({ history }: Deployment) => stateOf(history).startedAt
  const documentsWithName = documents.filter(({ versionName }) => versionName !== undefined)
  const latest = documentsWithName.toSorted((a, b) => startOf(b) - startOf(a))[0]
  return {
    key,
    name: latest?.versionName ?? key,
    createdAt: Math.min(...documents.map(({ createdAt }) => createdAt)),
    supported: documents.every(({ supported }) => supported !== false),
    parts,
  }
}
