import type { Exporter } from '@halyard/core'

/** Options of the exporter to files. */
export interface FileExporterOptions {
  /** Existing directory in which the files are created. */
  readonly directory: string
}

const newline = 10

/**
 * Makes the exporter to files of a directory: a destination's file gets one line of JSON per event. An event is sent
 * once its line is on the disk. A process that ends while it writes can leave an incomplete line, which readers ignore:
 * the event is written again.
 */
export function fileExporter({ directory }: FileExporterOptions): Exporter {
  return {
    kind: 'file',
    async send({ config: { name = '' }, events }) {
      // The name comes from a caller and must not lead out of the directory.
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return { outcome: 'failed', reason: 'The file name is invalid.' }
      // Imported here, so that the other exporters run on platforms without files.
      const { open } = await import('node:fs/promises')
      const { join } = await import('node:path')
      try {
        const file = await open(join(directory, name), 'a+', 0o600)
        try {
          const { size } = await file.stat()
          const last = new Uint8Array(1)
          if (size > 0) await file.read(last, 0, 1, size - 1)
          const start = size > 0 && last[0] !== newline ? '\n' : ''
          await file.appendFile(start + events.map((event) => `${JSON.stringify(event)}\n`).join(''))
          await file.sync()
        } finally {
          await file.close()
        }
      } catch {
        return { outcome: 'failed', reason: 'The file could not be written.' }
      }
      return { outcome: 'sent' }
    },
  }
}
