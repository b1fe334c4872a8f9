import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import type { ReceivedRequest } from './loopback-server.ts'

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/**
 * Returns true when a request has the Signature Version 4 that the signer of the AWS SDK computes for the same request
 * with the same credentials.
 */
export async function hasAwsSignature(
  request: ReceivedRequest,
  credentials: Credentials,
  service: string,
): Promise<boolean> {
  const header = request.headers.authorization ?? ''
  const [, accessKeyId, region, scopeService, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? []
  if (accessKeyId !== credentials.accessKeyId || scopeService !== service) return false
  const names = (signedHeaders ?? '').split(';')
  // A signature that does not cover these headers could be used for another host, time or session.
  if (
    !['host', 'x-amz-date', ...(credentials.sessionToken ? ['x-amz-security-token'] : [])].every((n) =>
      names.includes(n),
    )
  )
    return false
  const signer = new SignatureV4({
    credentials,
    region: region ?? '',
    service,
    sha256: Sha256,
    uriEscapePath: service !== 's3',
    applyChecksum: false,
  })
  const url = new URL(request.path, `http://${request.headers.host}`)
  const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]))
  const signed = await signer.sign(
    {
      method: request.method,
      protocol: 'http:',
      hostname: url.hostname,
      port: Number(url.port),
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers,
      body: request.body,
    },
    { signingDate: amzDate(request.headers['x-amz-date']) },
  )
  return signed.headers.authorization?.endsWith(`Signature=${signature}`) === true
}

function amzDate(text: string | string[] | undefined): Date {
  return new Date(String(text).replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z'))
}
