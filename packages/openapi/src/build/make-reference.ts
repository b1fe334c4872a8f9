import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { recordExamples } from '@halyard/conformance'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { changeReport } from '../contract/change-report.ts'
import { contractOf } from '../contract/contract.ts'
import { differences } from '../contract/differences.ts'
import { openApiDocument } from '../document/make-document.ts'
import type { OpenApiDocument } from '../document/open-api-document.ts'
import { withoutExamples, writeDocument } from '../document/write-document.ts'
import { referencePages } from '../reference/reference-pages.ts'

/** Folder of the committed document and the pages. */
export const referenceFolder = path.resolve(import.meta.dirname, '../../../../docs/reference')

/**
 * Returns the names of the files in that folder that are generated here. The library's own reference is in a folder of
 * its own.
 */
export async function referenceFileNames(): Promise<string[]> {
  const entries = await readdir(referenceFolder, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/**
 * Returns the file name of a release's document without examples, which is stored for comparison until the next
 * release.
 */
export const releasedFile = (version: string) => `openapi.${version}.json`

/** Returns the names of the stored documents of releases; an empty list before the first release. */
export async function releasedFiles(): Promise<string[]> {
  return (await referenceFileNames()).filter((file) => /^openapi\.\d[\w.-]*\.json$/.test(file))
}

export interface ReferenceFiles {
  readonly document: OpenApiDocument
  readonly version: string
  /** Content of the document to store when this version is released. */
  readonly releasedText: string
  /** Content of every other file of docs/reference, by name. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * Generates all of docs/reference from the operation definitions, and from the responses of an engine in memory to the
 * examples.
 * @param before JSON of the last release's document; undefined before the first release.
 */
export async function makeReference(before: string | undefined): Promise<ReferenceFiles> {
  const { operations } = createEngine({ storage: createMemoryStorage() })
  const { version } = JSON.parse(await readFile(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'))
  const document = openApiDocument(operations, { version, examples: await recordExamples() })
  const lastReleased: OpenApiDocument = before === undefined ? document : JSON.parse(before)
  const changes = differences(contractOf(lastReleased), contractOf(document))
  const files = {
    'openapi.json': writeDocument(document),
    'changes.md': changeReport(changes, lastReleased.info.version),
    ...referencePages(document),
  }
  return { document, version, releasedText: writeDocument(withoutExamples(document)), files }
}
