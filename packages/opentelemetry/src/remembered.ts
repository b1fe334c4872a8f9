import type { Engine } from '@halyard/core'
import type { BatchObservableCallback, Meter } from '@opentelemetry/api'

/** Reports the figures of `engine.cacheStats()`; returns what stops it. */
export function observeRemembered(meter: Meter, engine: Pick<Engine, 'cacheStats'>): () => void {
  const counter = (name: string, description: string) => meter.createObservableCounter(name, { description })
  const hits = counter('halyard.remembered.hits', 'Number of cache hits.')
  const misses = counter('halyard.remembered.misses', 'Number of cache misses.')
  const entries = meter.createObservableUpDownCounter('halyard.remembered.entries', {
    description: 'Number of cached entries.',
  })
  const report: BatchObservableCallback = (observer) => {
    for (const [what, figures] of Object.entries(engine.cacheStats())) {
      const attributes = { 'halyard.remembered': what }
      observer.observe(hits, figures.hits, attributes)
      observer.observe(misses, figures.misses, attributes)
      observer.observe(entries, figures.entries, attributes)
    }
  }
  const observed = [hits, misses, entries]
  meter.addBatchObservableCallback(report, observed)
  return () => meter.removeBatchObservableCallback(report, observed)
}
