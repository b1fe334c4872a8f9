import type { Engine, Interceptor } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import type { Send } from '@halyard/core/webhooks'
import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import { observeCaches } from './cache-metrics.ts'
import { observeCalls } from './observed-calls.ts'
import { observeSend } from './observed-send.ts'
import { observeStorage } from './observed-storage.ts'
import { createTelemetry } from './telemetry.ts'

/** Providers of spans and metrics. */
export interface OpenTelemetryOptions {
  /** Default: the provider that is registered globally at this call. */
  readonly tracerProvider?: TracerProvider
  /** Default: the provider that is registered globally at this call. */
  readonly meterProvider?: MeterProvider
}

/** The parts of an engine's options that observe it. */
export interface OpenTelemetry {
  /** For the option `intercept`: a span and a duration of every call, in the trace that the request names. */
  readonly intercept: Interceptor
  /** Returns the same storage, with a span and a duration for each query and each commit. */
  storage(storage: Storage): Storage
  /** Returns the same sender, with a span and a duration for each webhook message. */
  send(send: Send): Send
  /**
   * Reports the statistics of an engine's caches (hits, misses, sizes) whenever metrics are collected.
   *
   * @returns a function that stops the reports.
   */
  observe(engine: Pick<Engine, 'cacheStats'>): () => void
}

const scope = '@halyard/opentelemetry'

/**
 * Creates spans and metrics through the OpenTelemetry API: the SDK that the host has registered exports them, and
 * without an SDK nothing happens.
 *
 * Names are those of operations and route templates. They never contain keys, tokens, queries, bodies or addresses of
 * webhooks, except for the receiver's host name.
 *
 * @example
 * ```ts
 * import { createEngine } from '@halyard/core'
 * import { openTelemetry } from '@halyard/opentelemetry'
 * import { createMemoryStorage } from '@halyard/storage-memory'
 *
 * const { storage, intercept } = openTelemetry()
 * const engine = createEngine({ storage: storage(createMemoryStorage()), intercept })
 * console.log((await engine.readiness()).ready) // true
 * ```
 */
export function openTelemetry({
  tracerProvider = trace.getTracerProvider(),
  meterProvider = metrics.getMeterProvider(),
}: OpenTelemetryOptions = {}): OpenTelemetry {
  const tracer = tracerProvider.getTracer(scope)
  const meter = meterProvider.getMeter(scope)
  const observed = createTelemetry(tracer)
  return {
    intercept: observeCalls(observed, meter),
    storage: observeStorage(observed, meter),
    send: observeSend(observed, meter),
    observe: (engine) => observeCaches(meter, engine),
  }
}
