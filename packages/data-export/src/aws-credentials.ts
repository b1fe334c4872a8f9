import type { ExportBatch } from '@halyard/core'
import { AwsClient } from 'aws4fetch'
import { type ExportFailure, exchange, failureOf } from './http-exchange.ts'

/** Credentials of AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Options of the exporters to AWS. */
export interface AwsExporterOptions {
  /**
   * Credentials of the role that the option `dataExportRoleArn` of the engine names, or a function that returns them,
   * for credentials that expire.
   */
  readonly credentials: AwsCredentials | (() => Promise<AwsCredentials>)
  /** URLs of services with a compatible API, which are used instead of AWS. */
  readonly endpoints?: Readonly<Partial<Record<'sts' | 'kinesis' | 's3', string>>>
}

interface RoleCredentials {
  readonly credentials: AwsCredentials
  /** Integer ms, UTC. */
  readonly expiresAt: number
}

/** Time before their expiry at which the credentials of a role are replaced, in ms. */
const renewalMs = 5 * 60_000

/** Returns the URL of a service of AWS in a region. */
export function awsEndpoint(service: string, region: string): string {
  return `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/**
 * Makes a function that returns a client with the credentials of a destination's role. It assumes the role with the
 * external id of the environment's trust policy, and keeps the credentials until they end.
 */
export function roleClients({ credentials, endpoints }: AwsExporterOptions) {
  const cached = new Map<string, RoleCredentials>()
  return async (batch: ExportBatch, service: string, signal: AbortSignal): Promise<AwsClient | ExportFailure> => {
    const { region = '', roleArn = '' } = batch.config
    const { externalId } = batch
    if (externalId === undefined) {
      return { outcome: 'failed', reason: 'No trust policy was generated for the environment of the destination.' }
    }
    const cacheKey = `${region} ${roleArn} ${externalId}`
    let role = cached.get(cacheKey)
    if (!role || role.expiresAt - renewalMs < Date.now()) {
      const configuredCredentials = typeof credentials === 'function' ? await credentials() : credentials
      const endpoint = endpoints?.sts ?? awsEndpoint('sts', region)
      const assumed = await assumeRole(configuredCredentials, endpoint, { region, roleArn, externalId }, signal)
      if ('outcome' in assumed) return assumed
      role = assumed
      cached.set(cacheKey, role)
    }
    return new AwsClient({ ...role.credentials, service, region, retries: 0 })
  }
}

async function assumeRole(
  configuredCredentials: AwsCredentials,
  endpoint: string,
  { region, roleArn, externalId }: { region: string; roleArn: string; externalId: string },
  signal: AbortSignal,
): Promise<RoleCredentials | ExportFailure> {
  const client = new AwsClient({ ...configuredCredentials, service: 'sts', region, retries: 0 })
  const parameters = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: 'data-export',
    ExternalId: externalId,
  })
  const request = await client.sign(`${endpoint}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: parameters.toString(),
  })
  const response = await exchange(request, {}, signal)
  const failure = failureOf(response, 'The Security Token Service')
  if (failure) return failure
  const text = 'body' in response ? response.body : ''
  const element = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1]
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    element('AccessKeyId'),
    element('SecretAccessKey'),
    element('SessionToken'),
    element('Expiration'),
  ]
  if (!accessKeyId || !secretAccessKey || !sessionToken || !expiration)
    return { outcome: 'failed', reason: 'The Security Token Service returned no credentials.' }
  return { credentials: { accessKeyId, secretAccessKey, sessionToken }, expiresAt: Date.parse(expiration) }
}
