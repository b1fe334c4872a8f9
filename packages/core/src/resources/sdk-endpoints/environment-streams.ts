import type { StreamSink } from '../../operation/live-response.ts'
import { clientPutMessage } from '../../rules/sdk-protocol/server-messages.ts'
import type { ContentUpdate } from '../evaluation/cached-environment.ts'
import type { EvaluatedContent } from '../evaluation/evaluated-content.ts'
import type { EvaluatorHandle } from '../evaluation/evaluator.ts'
import { type ClientQuery, clientText } from './client-text.ts'
import { contentChanges } from './content-changes.ts'
import type { Payloads } from './payloads.ts'
import type { VerifiedKey } from './sdk-keys.ts'
import { StreamConnection } from './stream-connection.ts'

/** The open streams of one environment. */
export interface EnvironmentStreams {
  /** Sends all data immediately, and changes afterwards. */
  openServer(key: VerifiedKey, sink: StreamSink): () => void
  /** Sends the values for a context immediately, and all of them again when one changes. */
  openClient(key: VerifiedKey, query: ClientQuery, sink: StreamSink): () => void
  /** Sends a message when a value may have changed, without values. */
  openChanges(key: VerifiedKey, sink: StreamSink): () => void
  /** Sends heartbeats, applies expiry dates that have passed, and closes streams whose clients do not read. */
  beat(now: number): void
  /** Ends the streams whose key is no longer valid. */
  endUnless(isValid: (key: VerifiedKey) => boolean): void
  endAll(): void
  /** Number of streams of server-side SDKs. */
  readonly servers: number
  /** Number of streams of client-side SDKs. */
  readonly clients: number
}

interface OpenStream {
  readonly key: VerifiedKey
  readonly connection: StreamConnection
  /** For client-side SDKs: the query, and the values that were sent last. */
  readonly client: { readonly query: ClientQuery; text: string } | undefined
  /** True for a stream that reports changes without values. */
  readonly isNotified: boolean
}

const utf8 = new TextEncoder()
/** The message of OFREP after which a provider evaluates all flags again. */
const refetchMessage = utf8.encode('data: {"type":"refetchEvaluation"}\n\n')

/**
 * Makes the set of the open streams of an environment.
 *
 * @param onEmpty called when the last stream was closed.
 */
export function environmentStreams(
  handle: EvaluatorHandle,
  payloads: Payloads,
  onEmpty: () => void,
): EnvironmentStreams {
  return new StreamSet(handle, payloads, onEmpty)
}

class StreamSet implements EnvironmentStreams {
  readonly #handle: EvaluatorHandle
  readonly #payloads: Payloads
  readonly #onEmpty: () => void
  readonly #streams = new Set<OpenStream>()
  readonly #changes: ReturnType<typeof contentChanges>
  #clients = 0
  #isSecure = false
  #unsubscribe: (() => void) | undefined

  constructor(handle: EvaluatorHandle, payloads: Payloads, onEmpty: () => void) {
    this.#handle = handle
    this.#payloads = payloads
    this.#onEmpty = onEmpty
    this.#changes = contentChanges(payloads)
  }

  openServer(key: VerifiedKey, sink: StreamSink): () => void {
    return this.#begin(newStream(key, sink), ({ ruleset }) => this.#payloads.of(ruleset).put)
  }

  openClient(key: VerifiedKey, query: ClientQuery, sink: StreamSink): () => void {
    const text = clientText(this.#handle.evaluator, query)
    return this.#begin(newStream(key, sink, { query, text }), () => utf8.encode(clientPutMessage(text)))
  }

  openChanges(key: VerifiedKey, sink: StreamSink): () => void {
    // The flags may have changed since the client evaluated them, or while its stream was interrupted.
    return this.#begin({ ...newStream(key, sink), isNotified: true }, () => refetchMessage)
  }

  beat(now: number): void {
    // Applies expired targets, and retries failed reads.
    this.#handle.cached.content()
    for (const stream of [...this.#streams]) if (!stream.connection.beat(now)) this.#remove(stream)
  }

  endUnless(isValid: (key: VerifiedKey) => boolean): void {
    this.#endUnless(({ key }) => isValid(key))
  }

  endAll(): void {
    this.#endUnless(() => false)
  }

  get servers(): number {
    return this.#streams.size - this.#clients
  }

  get clients(): number {
    return this.#clients
  }

  #begin(stream: OpenStream, firstEvent: (content: EvaluatedContent) => Uint8Array): () => void {
    const content = this.#handle.cached.content()
    if (!content) {
      stream.connection.end()
      if (this.#streams.size === 0) this.#onEmpty()
      return () => {}
    }
    this.#changes.begin(content)
    this.#isSecure = content.environment.secureMode
    this.#add(stream)
    this.#send(stream, firstEvent(content), true)
    return () => this.#remove(stream)
  }

  #add(stream: OpenStream): void {
    this.#streams.add(stream)
    if (stream.client || stream.isNotified) this.#clients++
    this.#unsubscribe ??= this.#handle.cached.subscribe((change) => this.#onContentUpdate(change))
  }

  #remove(stream: OpenStream): void {
    if (!this.#streams.delete(stream)) return
    if (stream.client || stream.isNotified) this.#clients--
    if (this.#streams.size > 0) return
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#changes.clear()
    this.#onEmpty()
  }

  #endUnless(isRetained: (stream: OpenStream) => boolean): void {
    for (const stream of [...this.#streams]) {
      if (isRetained(stream)) continue
      this.#remove(stream)
      stream.connection.end()
    }
  }

  #send(stream: OpenStream, chunk: Uint8Array, replacesAll: boolean): void {
    if (!stream.connection.send(chunk, replacesAll)) this.#remove(stream)
  }

  #onContentUpdate({ content, only }: ContentUpdate): void {
    if (!content) {
      this.endAll()
      return
    }
    // Clients that connected before secure mode was turned on did not have to send a hash.
    if (content.environment.secureMode && !this.#isSecure)
      this.#endUnless(({ client }) => client?.query.clientSide !== 'environmentId')
    this.#isSecure = content.environment.secureMode
    const change = this.#changes.next(content, only)
    for (const stream of [...this.#streams]) {
      if (stream.client) this.#sendValues(stream, stream.client)
      else if (stream.isNotified) this.#send(stream, refetchMessage, false)
      else if (change) this.#send(stream, change.chunk, change.replacesAll)
    }
  }

  #sendValues(stream: OpenStream, client: NonNullable<OpenStream['client']>): void {
    const text = clientText(this.#handle.evaluator, client.query)
    if (text === client.text) return
    client.text = text
    this.#send(stream, utf8.encode(clientPutMessage(text)), true)
  }
}

function newStream(key: VerifiedKey, sink: StreamSink, client?: OpenStream['client']): OpenStream {
  return { key, connection: new StreamConnection(sink), client, isNotified: false }
}
