import type { ExportBatch, ExportedCustomEvent, ExportedEvaluation, ExportedEvent } from '@halyard/core'

const base = {
  schemaVersion: 1,
  time: Date.UTC(2026, 0, 2, 3, 4, 5),
  projectKey: 'web',
  environmentKey: 'production',
} as const

/** Makes a custom event. */
export const customEvent = (id: string, input: Partial<ExportedCustomEvent> = {}): ExportedCustomEvent => ({
  ...base,
  id,
  kind: 'custom',
  key: 'purchase',
  contextKeys: { user: 'ann', device: 'd-1' },
  ...input,
})

/** Makes an evaluation. */
export const evaluation = (id: string, input: Partial<ExportedEvaluation> = {}): ExportedEvaluation => ({
  ...base,
  id,
  kind: 'evaluation',
  flagKey: 'checkout',
  variation: 1,
  value: true,
  contextKeys: { user: 'ann' },
  ...input,
})

/** An event of each kind. */
export const events: readonly ExportedEvent[] = [
  customEvent('e1', { data: { text: 'größer ☃' }, metricValue: 12.5 }),
  evaluation('e2'),
  { ...base, id: 'e3', kind: 'change', change: { titleVerb: 'turned on Checkout' } },
]

/** Makes a batch. */
export const batchOf = (config: ExportBatch['config'], input: Partial<ExportBatch> = {}): ExportBatch => ({
  id: 'batch-1',
  projectKey: 'web',
  environmentKey: 'production',
  config,
  externalId: 'external-1',
  events,
  ...input,
})

/** A signal that is never aborted. */
export const signal = new AbortController().signal
