// #region sdk
import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

const exporter = new InMemorySpanExporter()
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
// #endregion

// #region engine
import { createEngine } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { openTelemetry } from '@halyard/opentelemetry'
import { createMemoryStorage } from '@halyard/storage-memory'

const telemetry = openTelemetry({ tracerProvider })
const engine = createEngine({
  storage: telemetry.storage(createMemoryStorage()),
  intercept: telemetry.intercept,
  webhooks: { send: telemetry.send(fetchSender()) },
})
telemetry.observe(engine)
// #endregion

await engine.migrate()
const as = (await engine.bootstrap())?.token ?? ''
exporter.reset()

// #region call
await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
for (const { name, attributes } of exporter.getFinishedSpans()) console.log(name, attributes)
// #endregion

await engine.close()
context.disable()
propagation.disable()
