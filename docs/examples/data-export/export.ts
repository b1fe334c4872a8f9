import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine, type ExportedEvent, type Exporter } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { dataExporters } from '@halyard/data-export'
import { createMemoryStorage } from '@halyard/storage-memory'

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  for (const line of body.trimEnd().split('\n')) {
    const event: ExportedEvent = JSON.parse(line)
    console.log(event.kind, event.kind === 'custom' ? event.key : '')
  }
  response.writeHead(204).end()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

// #region export
const engine = createEngine({
  storage: createMemoryStorage(),
  // The server of this example runs on the same machine; omit `allowPrivate` otherwise.
  exporters: dataExporters({ http: { send: fetchSender({ allowPrivate: true }) } }),
})
await engine.migrate()
const as = await engine.bootstrap().then((result) => result?.token ?? '')
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })

const environment = { projectKey: 'web', environmentKey: 'production' }
const destination = { name: 'Warehouse', kind: 'http-ndjson', config: { url }, on: true } as const
const { _id: id } = await engine.api.createDestination({ ...environment, body: destination }, { as })

await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
engine.track('purchase', { kind: 'user', key: 'ann' }, { value: 9.5 }, environment)
await engine.sdk.flush()
await engine.runDueTasks()
// #endregion

// #region deliveries
const { items } = await engine.api.listDestinationDeliveries({ ...environment, id }, { as })
for (const { outcome, events, reason } of items) console.log(outcome, events, reason ?? '')
// #endregion

// #region own
/** Prints events in place of a system for which there is no exporter. */
export const consoleExporter: Exporter = {
  kind: 'bigquery',
  async send({ events }) {
    for (const event of events) console.log(event.id)
    return { outcome: 'sent' }
  },
}
// #endregion

await engine.close()
server.close()
