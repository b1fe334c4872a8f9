import type { Exporter } from '@halyard/core'
import type { AwsExporterOptions } from './aws-credentials.ts'
import { type AzureEventHubsExporterOptions, azureEventHubsExporter } from './azure-event-hubs-exporter.ts'
import { type FileExporterOptions, fileExporter } from './file-exporter.ts'
import { type GooglePubsubExporterOptions, googlePubsubExporter } from './google-pubsub-exporter.ts'
import { type HttpNdjsonExporterOptions, httpNdjsonExporter } from './http-ndjson-exporter.ts'
import { kinesisExporter } from './kinesis-exporter.ts'
import { type MparticleExporterOptions, mparticleExporter } from './mparticle-exporter.ts'
import { s3Exporter } from './s3-exporter.ts'
import { type SegmentExporterOptions, segmentExporter } from './segment-exporter.ts'

/** Options of the exporters, which the operator of the engine provides. */
export interface DataExportersOptions {
  /** Credentials of the role for data exports. Without them, `kinesis` and `s3` are not available. */
  readonly aws?: AwsExporterOptions
  /** The service account. Without it, `google-pubsub` is not available. */
  readonly google?: GooglePubsubExporterOptions
  /** The sender of messages. Without it, `http-ndjson` is not available. */
  readonly http?: HttpNdjsonExporterOptions
  /** The directory of the files. Without it, `file` is not available. */
  readonly file?: FileExporterOptions
  /** URL for `azure-event-hubs`. Default: the URL of Azure. */
  readonly azure?: AzureEventHubsExporterOptions
  /** URL for `mparticle`. Default: the URL of the United States. */
  readonly mparticle?: MparticleExporterOptions
  /** URL for `segment`. Default: the URL of the United States. */
  readonly segment?: SegmentExporterOptions
}

/**
 * Makes an exporter for each kind of destination whose options are present. `azure-event-hubs`, `mparticle` and
 * `segment` need no options, because their destinations contain their own credentials.
 *
 * @returns exporters for the option `exporters` of `createEngine`.
 *
 * @example
 * ```ts
 * import { createEngine } from '@halyard/core'
 * import { dataExporters } from '@halyard/data-export'
 * import { createMemoryStorage } from '@halyard/storage-memory'
 * import { createWebhookSender } from '@halyard/webhook-sender'
 *
 * const send = createWebhookSender()
 * const exporters = dataExporters({ http: { send } })
 * const engine = createEngine({ storage: createMemoryStorage(), exporters })
 * console.log(exporters.map(({ kind }) => kind).join(' ')) // azure-event-hubs mparticle segment http-ndjson
 * send.close()
 * await engine.close()
 * ```
 */
export function dataExporters(options: DataExportersOptions = {}): Exporter[] {
  const { aws, google, http, file, azure, mparticle, segment } = options
  return [
    azureEventHubsExporter(azure),
    mparticleExporter(mparticle),
    segmentExporter(segment),
    ...(aws ? [kinesisExporter(aws), s3Exporter(aws)] : []),
    ...(google ? [googlePubsubExporter(google)] : []),
    ...(http ? [httpNdjsonExporter(http)] : []),
    ...(file ? [fileExporter(file)] : []),
  ]
}
