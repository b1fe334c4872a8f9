import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The committed document, where the package runs from its source; a test proves that it is fresh. */
export const document: string = await readFile(
  path.resolve(import.meta.dirname, '../../../../docs/reference/openapi.json'),
  'utf8',
)
