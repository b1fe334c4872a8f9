import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { document } from './document-from-source.ts'
import { readPage, rendererFolder } from './read-page.ts'

// Page and document are written as modules, so that they can be served where there is no file system.
const dist = path.resolve(import.meta.dirname, '../../dist')
await writeFile(path.join(dist, 'page.js'), `export const files = ${JSON.stringify(await readPage())}\n`)
await writeFile(path.join(dist, 'document.js'), `export const document = ${JSON.stringify(document)}\n`)

// The licenses of bundled packages are shipped with them.
const licenses = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'].map(
  async (file) => `swagger-ui-dist, ${file}\n\n${await readFile(path.join(rendererFolder, file), 'utf8')}`,
)
await writeFile(path.join(dist, 'THIRD-PARTY.txt'), (await Promise.all(licenses)).join('\n\n'))
