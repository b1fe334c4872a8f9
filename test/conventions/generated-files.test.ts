import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { manifestFile, manifestText } from '../../packages/client/src/build/manifest-file.ts'
import { resourceLists, sourceFolder } from '../../packages/core/src/build/resource-lists.ts'
import {
  makeReference,
  referenceFileNames,
  referenceFolder,
  releasedFiles,
} from '../../packages/openapi/src/build/make-reference.ts'

const advice = 'run `npm run generate` and commit what it writes'
const read = (file: string) => readFileSync(file, 'utf8')

it('the lists of operations and collections in core match the descriptors', async () => {
  const stale = (await resourceLists())
    .filter(({ path: file, text }) => read(path.join(sourceFolder, file)) !== text)
    .map(({ path: file }) => file)
  expect(stale, advice).toEqual([])
})

it('the manifest of the client matches the operations', async () => {
  expect(read(manifestFile), advice).toBe(await manifestText())
})

it('the reference pages and the OpenAPI document match the operations', async () => {
  const released = await releasedFiles()
  expect(released.length, 'delete all but the newest released document of docs/reference').toBeLessThanOrEqual(1)
  const [last] = released
  const { files } = await makeReference(last && read(path.join(referenceFolder, last)))
  const committed = (await referenceFileNames()).filter((file) => !released.includes(file))
  expect(committed.sort(), advice).toEqual(Object.keys(files).sort())
  const stale = committed.filter((file) => read(path.join(referenceFolder, file)) !== files[file])
  expect(stale, advice).toEqual([])
})
