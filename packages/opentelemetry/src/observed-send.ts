import type { Send, SendOutcome } from '@halyard/core/webhooks'
import { type Attributes, type Meter, SpanKind } from '@opentelemetry/api'
import { type CallResult, durationHistogram, type End, type Telemetry } from './telemetry.ts'

/**
 * Returns a function that wraps a sender so that each message has a span that contains the receiver's host and no other
 * part of its address.
 */
export function observeSend(observe: Telemetry, meter: Meter): (send: Send) => Send {
  const duration = durationHistogram(meter, 'halyard.webhook.duration', 'Duration of messages to webhooks.')
  return (send) => (message) =>
    observe({
      name: 'webhook message',
      kind: SpanKind.CLIENT,
      attributes: { 'http.request.method': 'POST', ...hostOf(message.url) },
      duration,
      run: () => send(message),
      describeEnd: describeOutcome,
    })
}

function hostOf(url: string): Attributes {
  return URL.canParse(url) ? { 'server.address': new URL(url).hostname } : {}
}

function describeOutcome(result: CallResult<SendOutcome>): End {
  if (!('value' in result)) return { measured: { 'error.type': 'internal_error' }, failed: true }
  const { value } = result
  if (value.outcome === 'failed') {
    return { measured: { 'error.type': value.refused ? 'refused' : 'failed' }, failed: true }
  }
  const failed = value.status < 200 || value.status > 299
  const status = { 'http.response.status_code': value.status }
  return { measured: failed ? { ...status, 'error.type': String(value.status) } : status, failed }
}
