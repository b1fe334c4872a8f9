import { textHash } from '../../rules/running-sha256.ts'

/** The environment that deployments are in. */
interface Place {
  readonly projectKey: string
  readonly environmentKey: string
}

/** What makes events one deployment, inside an environment. */
export interface DeploymentIdentity {
  readonly applicationKey: string
  readonly version: string
}

/**
 * Ids of the deployments of one environment, each made from what it is: events that arrive at once find the same
 * deployment without asking an index, and whoever inserts it second loses that race.
 *
 * The first half of an id is the environment's, so that one document for each environment leads to all its deployments.
 *
 * @returns UUIDs of version 8, the one for ids of one's own making (RFC 9562).
 */
export async function deploymentIds({
  projectKey,
  environmentKey,
}: Place): Promise<(of: DeploymentIdentity) => string> {
  const hashOf = await textHash()
  const place = hashOf(JSON.stringify([projectKey, environmentKey]))
  const half = `${place.slice(0, 8)}-${place.slice(8, 12)}-8${place.slice(13, 16)}`
  return ({ applicationKey, version }) => {
    // Neither of the two holds a space.
    const hash = hashOf(`${applicationKey} ${version}`, 8)
    const variant = '89ab'[Number.parseInt(hash.charAt(0), 16) & 3]
    return `${half}-${variant}${hash.slice(1, 4)}-${hash.slice(4, 16)}`
  }
}

/** The part of a deployment's id that is its environment's: all before the third hyphen. */
export function placeOfId(deploymentID: string): string {
  return deploymentID.split('-', 3).join('-')
}
