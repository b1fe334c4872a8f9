import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bundlePage } from './bundle-page.ts'

// The files as one module, so that the page is served where there is no file system as well.
const target = path.resolve(import.meta.dirname, '../../dist/page.js')
await writeFile(target, `export const files = ${JSON.stringify(await bundlePage())}\n`)
