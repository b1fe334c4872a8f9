import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeReference, referenceFileNames, referenceFolder, releasedFile, releasedFiles } from './make-reference.ts'

// `npm run generate` writes docs/reference. With `-- --release`, it also stores the current document as the document of
// the last release.
await mkdir(referenceFolder, { recursive: true })
if (process.argv.includes('--release')) {
  const { releasedText, version } = await makeReference(undefined)
  for (const file of await releasedFiles()) await rm(path.join(referenceFolder, file))
  await writeFile(path.join(referenceFolder, releasedFile(version)), releasedText)
}
const [lastRelease] = await releasedFiles()
const before = lastRelease === undefined ? undefined : await readFile(path.join(referenceFolder, lastRelease), 'utf8')
const { files } = await makeReference(before)
for (const file of await referenceFileNames()) {
  if (file !== lastRelease && !(file in files)) await rm(path.join(referenceFolder, file))
}
for (const [file, text] of Object.entries(files)) await writeFile(path.join(referenceFolder, file), text)
process.stdout.write(`docs/reference: ${Object.keys(files).length} files\n`)
