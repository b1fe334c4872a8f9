import { snapshotReader } from '@halyard/core/evaluation'

interface Env {
  readonly FLAGS: { get(name: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null> }
  /** The public key of the engine, as JSON Web Key. */
  readonly PUBLIC_KEY: JsonWebKey
}

let reader: ReturnType<typeof snapshotReader> | undefined

async function openReader({ FLAGS, PUBLIC_KEY }: Env): Promise<ReturnType<typeof snapshotReader>> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const publicKey = await crypto.subtle.importKey('jwk', PUBLIC_KEY, algorithm, false, ['verify'])
  const read = async () => {
    const bytes = await FLAGS.get('web/production.snapshot', 'arrayBuffer')
    return bytes === null ? undefined : new Uint8Array(bytes)
  }
  return snapshotReader({ read, publicKey, environment: { projectKey: 'web', environmentKey: 'production' } })
}

/** Evaluates a flag by the newest snapshot in Workers KV, without an engine and without a storage. */
export default {
  async fetch(_: Request, env: Env): Promise<Response> {
    reader ??= await openReader(env)
    try {
      const isNew = await reader.refresh()
      return Response.json({ isNew, value: reader.evaluate('checkout', { kind: 'user', key: 'ann' }, null).value })
    } catch (error) {
      return Response.json({ error: String(error) }, { status: 500 })
    }
  },
}
