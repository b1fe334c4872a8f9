import type { Host } from '../../operation/context.ts'
import type { Ruleset } from '../../rules/evaluation/index.ts'
import { allDataText, putMessage } from '../../rules/sdk-protocol/server-messages.ts'

/** All data of an environment in the form for SDKs, serialized once. */
export interface Payload {
  readonly text: string
  /** The event of streams with the data. */
  readonly put: Uint8Array
  etag(): Promise<string>
}

export interface Payloads {
  of(ruleset: Ruleset): Payload
}

/** Caches serialized data while its ruleset is in use. */
export function payloads(host: Host): Payloads {
  const cachedPayloads = new WeakMap<Ruleset, Payload>()
  return {
    of(ruleset) {
      const payload = cachedPayloads.get(ruleset) ?? payloadOf(ruleset, host)
      cachedPayloads.set(ruleset, payload)
      return payload
    },
  }
}

function payloadOf(ruleset: Ruleset, host: Host): Payload {
  let text: string | undefined
  let put: Uint8Array | undefined
  let etag: Promise<string> | undefined
  return {
    get text() {
      return (text ??= allDataText(ruleset))
    },
    get put() {
      return (put ??= new TextEncoder().encode(putMessage(this.text)))
    },
    etag() {
      return (etag ??= host.sha256(this.text).then((hash) => `"${hash.slice(0, 32)}"`))
    },
  }
}
