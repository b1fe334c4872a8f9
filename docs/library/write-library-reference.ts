import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { libraryFolder, libraryReference } from './library-reference.ts'

const files = await libraryReference()
rmSync(libraryFolder, { recursive: true, force: true })
mkdirSync(libraryFolder, { recursive: true })
for (const [file, text] of Object.entries(files)) writeFileSync(path.join(libraryFolder, file), text)
process.stdout.write(`docs/reference/library: ${Object.keys(files).length} pages\n`)
