import path from 'node:path'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { encodeManifest } from './encode-manifest.ts'

/** The file that is written, and then committed. */
export const manifestFile = path.resolve(import.meta.dirname, '../manifest.ts')

/** Its text, made from the table of operations. */
export function manifestText(): string {
  const { operations } = createEngine({ storage: createMemoryStorage() })
  const lines = encodeManifest(operations).map((line) => `  '${line}'`)
  return `// Made from the table of operations: npm run generate\nexport const manifest =\n${lines.join(' +\n')}\n`
}
