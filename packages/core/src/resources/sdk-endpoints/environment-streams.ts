import type { StreamSink } from '../../operation/live-response.ts'
import { clientPutMessage, heartbeatMessage } from '../../rules/sdk-protocol/server-messages.ts'
import type { EvaluatedContent } from '../evaluation/evaluated-content.ts'
import type { OpenEvaluator } from '../evaluation/evaluator.ts'
import type { HeldChange } from '../evaluation/held-environment.ts'
import { type ClientQuestion, clientText } from './client-text.ts'
import { contentChanges } from './content-changes.ts'
import type { Payloads } from './payloads.ts'
import type { KnownKey } from './sdk-keys.ts'

/** The streams that are open to one environment. */
export interface EnvironmentStreams {
  /** Sends everything at once, and from then on what changes. */
  openServer(key: KnownKey, sink: StreamSink): () => void
  /** Sends the values for a context at once, and all of them again whenever one of them changes. */
  openClient(key: KnownKey, question: ClientQuestion, sink: StreamSink): () => void
  /** Shows that the streams are alive, takes in what time alone changes, and gives up those that nobody reads. */
  beat(now: number): void
  /** Ends the streams that were opened by a key that counts no longer. */
  endUnless(holds: (key: KnownKey) => boolean): void
  endAll(): void
  /** How many there are to server-side SDKs. */
  readonly servers: number
  /** How many there are to client-side SDKs. */
  readonly clients: number
}

interface OpenStream {
  readonly key: KnownKey
  readonly sink: StreamSink
  /** Of client-side SDKs, with what they were sent last. */
  readonly client: { readonly question: ClientQuestion; text: string } | undefined
  /** Bytes of the last event that replaced everything, which may take a while to be taken. */
  whole: number
  /** What nobody had taken at the last beat, and since when nothing was. */
  backlog: number
  stalledAt: number | undefined
}

/** Bytes that a stream may be behind, besides an event that replaces everything. */
const mostUnread = 1024 * 1024

/** How long a stream may be behind without anything being taken, ms. */
const patienceMs = 60_000

const utf8 = new TextEncoder()
const heartbeat = utf8.encode(heartbeatMessage)

/** @param empty told when the last stream was closed. */
export function environmentStreams(
  { held, evaluator }: OpenEvaluator,
  payloads: Payloads,
  empty: () => void,
): EnvironmentStreams {
  const streams = new Set<OpenStream>()
  const changes = contentChanges(payloads)
  let clients = 0
  let secure = false
  let stopFollowing: (() => void) | undefined

  function add(stream: OpenStream): () => void {
    streams.add(stream)
    if (stream.client) clients++
    stopFollowing ??= held.follow(follow)
    return () => remove(stream)
  }

  function remove(stream: OpenStream): void {
    if (!streams.delete(stream)) return
    if (stream.client) clients--
    if (streams.size > 0) return
    stopFollowing?.()
    stopFollowing = undefined
    changes.forget()
    empty()
  }

  function end(stream: OpenStream): void {
    remove(stream)
    stream.sink.end()
  }

  /** Whoever does not read is cut off: a client that is alive comes again, and is sent everything. */
  function giveUp(stream: OpenStream): void {
    remove(stream)
    stream.sink.abort()
  }

  function send(stream: OpenStream, chunk: Uint8Array, whole: boolean): void {
    if (stream.sink.backlog() > mostUnread + stream.whole) {
      giveUp(stream)
      return
    }
    if (whole) stream.whole = chunk.byteLength
    stream.sink.send(chunk)
  }

  function follow({ content, only }: HeldChange): void {
    if (!content) {
      endAll()
      return
    }
    // Whoever asked before had to show nothing.
    if (content.environment.secureMode && !secure)
      endUnless(({ client }) => client?.question.clientSide !== 'environmentId')
    secure = content.environment.secureMode
    const change = changes.next(content, only)
    for (const stream of [...streams]) {
      if (stream.client) tellClient(stream, stream.client)
      else if (change) send(stream, change.chunk, change.whole)
    }
  }

  function tellClient(stream: OpenStream, client: NonNullable<OpenStream['client']>): void {
    const text = clientText(evaluator, client.question)
    if (text === client.text) return
    client.text = text
    send(stream, utf8.encode(clientPutMessage(text)), true)
  }

  function endUnless(stays: (stream: OpenStream) => boolean): void {
    for (const stream of [...streams]) if (!stays(stream)) end(stream)
  }

  function endAll(): void {
    endUnless(() => false)
  }

  function newStream(key: KnownKey, sink: StreamSink, client?: OpenStream['client']): OpenStream {
    return { key, sink, client, whole: 0, backlog: 0, stalledAt: undefined }
  }

  function begin(stream: OpenStream, first: (content: EvaluatedContent) => Uint8Array): () => void {
    const content = held.content()
    if (!content) {
      stream.sink.end()
      if (streams.size === 0) empty()
      return () => {}
    }
    changes.begin(content)
    secure = content.environment.secureMode
    const close = add(stream)
    send(stream, first(content), true)
    return close
  }

  return {
    openServer: (key, sink) => begin(newStream(key, sink), ({ ruleset }) => payloads.of(ruleset).put),
    openClient(key, question, sink) {
      const text = clientText(evaluator, question)
      return begin(newStream(key, sink, { question, text }), () => utf8.encode(clientPutMessage(text)))
    },
    beat(now) {
      // Targets whose date has come are none from now on, and what could not be read is tried again.
      held.content()
      for (const stream of [...streams]) {
        const backlog = stream.sink.backlog()
        const stalled = backlog > 0 && backlog >= stream.backlog
        stream.stalledAt = stalled ? (stream.stalledAt ?? now) : undefined
        if (stream.stalledAt !== undefined && now - stream.stalledAt >= patienceMs) giveUp(stream)
        else send(stream, heartbeat, false)
        stream.backlog = stream.sink.backlog()
      }
    },
    endUnless: (holds) => endUnless(({ key }) => holds(key)),
    endAll,
    get servers() {
      return streams.size - clients
    },
    get clients() {
      return clients
    },
  }
}
