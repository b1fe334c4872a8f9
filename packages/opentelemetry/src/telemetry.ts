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

/** One thing that takes time. */
export interface Timed<T> {
  readonly name: string
  readonly kind: SpanKind
  /** What is known before it begins. */
  readonly attributes: Attributes
  /** Where it takes place. Default: in the span that is active. */
  readonly within?: Context
  /** Gets its duration, with the attributes of its end. */
  readonly duration: Histogram
  run(): Promise<T>
  /** What is known once it has ended, or failed. */
  ended(result: Ended<T>): End
}

export type Ended<T> = { readonly value: T } | { readonly error: unknown }

export interface End {
  /** Of the span alone. */
  readonly attributes?: Attributes
  /** Of the span and the duration: few different values. */
  readonly measured: Attributes
  /** Whether it is a fault of whoever did it, and not of whoever asked. */
  readonly failed: boolean
}

/** Runs a thing in a span of its own, and measures it. What it resolves or rejects with goes on as it is. */
export type Telemetry = <T>(timed: Timed<T>) => Promise<T>

export function telemetry(tracer: Tracer): Telemetry {
  return async ({ name, kind, attributes, within = context.active(), duration, run, ended }) => {
    const span = tracer.startSpan(name, { kind, attributes }, within)
    const begun = performance.now()
    const end = (result: Parameters<typeof ended>[0]) => {
      const { attributes: more = {}, measured, failed } = ended(result)
      duration.record((performance.now() - begun) / 1000, measured)
      finish(span, { ...more, ...measured }, failed)
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
  // Without a message: an exception's text can hold what nobody should see here.
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Bounds in seconds, as OpenTelemetry's conventions give them for requests, with finer ones for what is in memory. */
const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function durationOf(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: bounds } })
}
