import path from 'node:path'
import { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'

/** The generated file, which is committed. */
export const manifestFile = path.resolve(import.meta.dirname, '../manifest.ts')

/** Returns the text of the generated file, with one line for each operation of the engine. */
export async function manifestText(): Promise<string> {
  const definitions = await createEngine({ storage: createMemoryStorage() }).definitions()
  const lines = definitions.map(manifestLine)
  return `// Generated from the operation table by npm run generate.\nexport const manifest = \`\n${lines.join('\n')}\n\`\n`
}

/**
 * Returns the line of an operation.
 *
 * @throws Error when the operation transfers a file that is not CSV, as the client knows no other media type.
 */
export function manifestLine({ id, method, path, body, success }: Operation): string {
  const upload = body?.kind === 'upload' ? body.mediaType : undefined
  const mediaType = upload ?? success.mediaType
  if (mediaType !== undefined && mediaType !== 'text/csv') throw new Error(`${id}: the media type must be text/csv`)
  return [method, id, path, upload ? 'upload' : mediaType && 'download'].filter(Boolean).join(' ')
}
