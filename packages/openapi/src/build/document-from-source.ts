import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The committed document, used when the package runs from source. A test asserts that it is up to date. */
export const document: string = await readFile(
  path.resolve(import.meta.dirname, '../../../../docs/reference/openapi.json'),
  'utf8',
)
