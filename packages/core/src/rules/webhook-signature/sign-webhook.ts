export interface WebhookToSign {
  readonly id: string
  /** Integer ms, UTC. */
  readonly timestampMs: number
  readonly body: string
  /** The first one signs `X-SVC-Signature`; each signs `webhook-signature`. None: nothing is signed. */
  readonly secrets: readonly string[]
}

/** The headers of a webhook message: those of Standard Webhooks, and `X-SVC-Signature` (D32). */
export async function signWebhook({ id, timestampMs, body, secrets }: WebhookToSign): Promise<Record<string, string>> {
  const seconds = Math.floor(timestampMs / 1000)
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(seconds) }
  const [first] = secrets
  if (first === undefined) return headers
  const signed = await Promise.all(secrets.map((secret) => hmac(secret, `${id}.${seconds}.${body}`)))
  return {
    ...headers,
    'webhook-signature': signed.map((bytes) => `v1,${btoa(String.fromCharCode(...bytes))}`).join(' '),
    'X-SVC-Signature': [...(await hmac(first, body))].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  }
}

async function hmac(secret: string, text: string): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}
