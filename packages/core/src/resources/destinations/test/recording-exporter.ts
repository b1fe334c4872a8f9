import type { ExportBatch, Exporter, ExportOutcome } from '../../../operation/exporter.ts'
import { create, environmentKeys, pubsub, webEngine } from './destination-engine.ts'

/** An exporter that records what it gets, with outcomes that the test sets in `next`. */
export function recordingExporter(kind = 'google-pubsub') {
  const recorder: { readonly batches: ExportBatch[]; next: ExportOutcome } = {
    batches: [],
    next: { outcome: 'sent', status: 200 },
  }
  const exporter: Exporter = {
    kind,
    async send(batch) {
      recorder.batches.push(batch)
      return recorder.next
    },
  }
  return { recorder, exporter }
}

/** Makes an engine with an exporter and a destination that is on. */
export async function exportingEngine() {
  const { recorder, exporter } = recordingExporter()
  const engine = await webEngine({ exporters: [exporter] })
  const { _id: id } = await create(engine, { ...pubsub, on: true })
  const keys = { ...environmentKeys, id }
  const as = { as: engine.admin }
  return {
    engine,
    recorder,
    keys,
    as,
    advance: (ms: number) => engine.advance(ms),
    /** Returns the titles of all changes that were sent, in the order of their batches. */
    titles: () =>
      recorder.batches.flatMap(({ events }) =>
        events.map((event) =>
          event.kind === 'change' ? (event.change as { titleVerb: string }).titleVerb : event.kind,
        ),
      ),
    deliveries: () => engine.api.listDestinationDeliveries(keys, as),
    /** Creates a flag in all environments. */
    createFlag: (key: string, projectKey = 'web') =>
      engine.api.createFlag({ projectKey, body: { key, name: key } }, as),
  }
}
