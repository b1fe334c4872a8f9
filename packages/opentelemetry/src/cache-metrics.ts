import type { Engine } from '@halyard/core'
import type { BatchObservableCallback, Meter } from '@opentelemetry/api'

/** Reports the statistics of `engine.cacheStats()`; returns a function that stops the reports. */
export function observeCaches(meter: Meter, engine: Pick<Engine, 'cacheStats'>): () => void {
  const counter = (name: string, description: string) => meter.createObservableCounter(name, { description })
  const hits = counter('halyard.cache.hits', 'Number of cache hits.')
  const misses = counter('halyard.cache.misses', 'Number of cache misses.')
  const entries = meter.createObservableUpDownCounter('halyard.cache.entries', {
    description: 'Number of cached entries.',
  })
  const report: BatchObservableCallback = (observer) => {
    for (const [cache, stats] of Object.entries(engine.cacheStats())) {
      const attributes = { 'halyard.cache': cache }
      observer.observe(hits, stats.hits, attributes)
      observer.observe(misses, stats.misses, attributes)
      observer.observe(entries, stats.entries, attributes)
    }
  }
  const observed = [hits, misses, entries]
  meter.addBatchObservableCallback(report, observed)
  return () => meter.removeBatchObservableCallback(report, observed)
}
