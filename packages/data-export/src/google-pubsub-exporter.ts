import type { Exporter } from '@halyard/core'
import { importPKCS8, SignJWT } from 'jose'
import { base64 } from './base64.ts'
import { sendInChunks } from './event-chunks.ts'
import { exchange, failureOf } from './http-exchange.ts'

/** Options of the exporter to Google Pub/Sub. */
export interface GooglePubsubExporterOptions {
  /** The key file of a service account that may publish to the topics of the destinations. */
  readonly serviceAccount: {
    readonly client_email: string
    /** RSA private key in PEM (PKCS #8). */
    readonly private_key: string
    readonly private_key_id?: string
  }
  /** Base URL of the service. Default: the URL of Google. */
  readonly endpoint?: string
}

const audience = 'https://pubsub.googleapis.com/'

/** Limits of `publish`: 1,000 messages, 10 MB; the base64 of a message is a third longer than its event. */
const limits = { events: 1_000, bytes: 7_000_000 }

/**
 * Makes the exporter to topics of Google Pub/Sub. It authenticates by a JSON Web Token that the key of the service
 * account signs (https://developers.google.com/identity/protocols/oauth2/service-account#jwt-auth). A message is the
 * JSON of an event; its attributes are `eventId` and `kind`, and its ordering key is the environment.
 */
export function googlePubsubExporter({ serviceAccount, endpoint }: GooglePubsubExporterOptions): Exporter {
  const { client_email: email, private_key: privateKey, private_key_id: keyId } = serviceAccount
  let key: ReturnType<typeof importPKCS8> | undefined
  return {
    kind: 'google-pubsub',
    async send(batch, signal) {
      const { project = '', topic = '' } = batch.config
      key ??= importPKCS8(privateKey, 'RS256')
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === undefined ? {} : { kid: keyId }) })
        .setIssuer(email)
        .setSubject(email)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(await key)
      const path = `v1/projects/${encodeURIComponent(project)}/topics/${encodeURIComponent(topic)}:publish`
      const url = `${endpoint ?? audience.slice(0, -1)}/${path}`
      const orderingKey = `${batch.projectKey}/${batch.environmentKey}`
      return sendInChunks(batch.events, limits, JSON.stringify, async (chunk) => {
        const messages = chunk.map(({ event: { id, kind }, text }) => ({
          data: base64(text),
          attributes: { eventId: id, kind },
          orderingKey,
        }))
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify({ messages }) }
        const response = await exchange(url, init, signal)
        return failureOf(response, 'Pub/Sub') ?? 200
      })
    },
  }
}
