import { textHash } from '../../rules/incremental-sha256.ts'

/** The environment of deployments. */
interface EnvironmentRef {
  readonly projectKey: string
  readonly environmentKey: string
}

/** Properties that identify a deployment in an environment. */
export interface DeploymentIdentity {
  readonly applicationKey: string
  readonly version: string
}

/**
 * Makes ids of the deployments of one environment, derived from their identity: concurrent events find the same
 * deployment without an index, and the second one to insert it loses the race.
 *
 * The first half of an id belongs to the environment, so that one document for each environment leads to all its
 * deployments.
 *
 * @returns UUIDs of version 8, which RFC 9562 reserves for custom content.
 */
export async function deploymentIds({
  projectKey,
  environmentKey,
}: EnvironmentRef): Promise<(of: DeploymentIdentity) => string> {
  const hashOf = await textHash()
  const environmentHash = hashOf(JSON.stringify([projectKey, environmentKey]))
  const prefix = `${environmentHash.slice(0, 8)}-${environmentHash.slice(8, 12)}-8${environmentHash.slice(13, 16)}`
  return ({ applicationKey, version }) => {
    // Keys and versions contain no space, so different pairs give different texts.
    const hash = hashOf(`${applicationKey} ${version}`, 8)
    const variant = '89ab'[Number.parseInt(hash.charAt(0), 16) & 3]
    return `${prefix}-${variant}${hash.slice(1, 4)}-${hash.slice(4, 16)}`
  }
}

/** Returns the part of a deployment's id that belongs to its environment: everything before the third hyphen. */
export function environmentPartOfId(deploymentID: string): string {
  return deploymentID.split('-', 3).join('-')
}
