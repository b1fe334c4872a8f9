import type { Exporter } from '@halyard/core'
import type { Send } from '@halyard/core/webhooks'
import type { DataExportOptions } from './data-export-options.ts'

/**
 * Makes the exporters of `serve`. They load their package when they first send, because most servers have no
 * destinations, and loading takes time at the start.
 */
export function makeExporters({ aws, google, directory }: DataExportOptions, send: Send): Exporter[] {
  const kinds = [
    'azure-event-hubs',
    'mparticle',
    'segment',
    'http-ndjson',
    ...(aws ? ['kinesis', 's3'] : []),
    ...(google ? ['google-pubsub'] : []),
    ...(directory === undefined ? [] : ['file']),
  ]
  let loaded: Promise<readonly Exporter[]> | undefined
  async function load(): Promise<readonly Exporter[]> {
    const { dataExporters } = await import('@halyard/data-export')
    return dataExporters({
      ...(aws ? { aws: { credentials: aws } } : {}),
      ...(google ? { google: { serviceAccount: google } } : {}),
      http: { send },
      ...(directory === undefined ? {} : { file: { directory } }),
    })
  }
  return kinds.map((kind) => ({
    kind,
    async send(batch, signal) {
      const exporters = await (loaded ??= load())
      const exporter = exporters.find((candidate) => candidate.kind === kind)
      if (!exporter) throw new Error(`no exporter of the kind ${kind}`)
      return exporter.send(batch, signal)
    },
  }))
}
