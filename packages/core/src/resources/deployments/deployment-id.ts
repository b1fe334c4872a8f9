import { sha256Hex } from '../../rules/running-sha256.ts'

/** What makes events one deployment. */
export interface DeploymentIdentity {
  readonly projectKey: string
  readonly environmentKey: string
  readonly applicationKey: string
  readonly version: string
}

/**
 * The id of a deployment, made from what it is: events that arrive at once find the same deployment without asking
 * an index, and whoever inserts it second loses that race.
 *
 * @returns a UUID of version 8, the one for ids of one's own making (RFC 9562).
 */
export function deploymentId({ projectKey, environmentKey, applicationKey, version }: DeploymentIdentity): string {
  const hash = sha256Hex(JSON.stringify([projectKey, environmentKey, applicationKey, version]))
  const variant = '89ab'[Number.parseInt(hash.charAt(16), 16) & 3]
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `${variant}${hash.slice(17, 20)}`]
  return [...parts, hash.slice(20, 32)].join('-')
}
