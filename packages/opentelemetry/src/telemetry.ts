import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  type Meter,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** An operation that is traced and measured. */
export interface TimedOperation<T> {
  readonly name: string
  readonly kind: SpanKind
  /** Attributes that are known before the operation starts. */
  readonly attributes: Attributes
  /** Context of the parent span. Default: the active context. */
  readonly within?: Context
  /** Records the duration of the operation in seconds, with the attributes that are known at its end. */
  readonly duration: Histogram
  run(): Promise<T>
  /** Describes the result or the error. */
  describeEnd(result: CallResult<T>): End
}

export type CallResult<T> = { readonly value: T } | { readonly error: unknown }

export interface End {
  /** Attributes of the span only. */
  readonly attributes?: Attributes
  /** Attributes of the span and of the measured duration. They must have few distinct values. */
  readonly measured: Attributes
  /** True when the operation itself failed, not the request of its caller. */
  readonly failed: boolean
}

/** Runs an operation in a span of its own and measures it. Resolves or rejects as the operation does. */
export type Telemetry = <T>(operation: TimedOperation<T>) => Promise<T>

export function createTelemetry(tracer: Tracer): Telemetry {
  return async ({ name, kind, attributes, within = context.active(), duration, run, describeEnd }) => {
    const span = tracer.startSpan(name, { kind, attributes }, within)
    const startedAt = performance.now()
    const end = (result: Parameters<typeof describeEnd>[0]) => {
      const { attributes: spanAttributes = {}, measured, failed } = describeEnd(result)
      duration.record((performance.now() - startedAt) / 1000, measured)
      finish(span, { ...spanAttributes, ...measured }, failed)
    }
    try {
      const value = await context.with(trace.setSpan(within, span), run)
      end({ value })
      return value
    } catch (error) {
      end({ error })
      throw error
    }
  }
}

function finish(span: Span, attributes: Attributes, failed: boolean): void {
  span.setAttributes(attributes)
  // Without a message, because the text of an exception can contain secrets.
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/**
 * Bucket boundaries in seconds, as OpenTelemetry's conventions define them for requests, with smaller ones for
 * in-memory work.
 */
const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function durationHistogram(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: bounds } })
}
