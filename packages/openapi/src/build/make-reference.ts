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

/** Where the committed document and the pages are. */
export const referenceFolder = path.resolve(import.meta.dirname, '../../../../docs/reference')

/** What of that folder is made here: the library's own reference, in a folder of its own, is not. */
export async function referenceFileNames(): Promise<string[]> {
  const entries = await readdir(referenceFolder, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** The document of a release, without examples: kept until the next release, to compare with. */
export const releasedFile = (version: string) => `openapi.${version}.json`

/** Names of the documents of releases that are kept: one, or none before the first release. */
export async function releasedFiles(): Promise<string[]> {
  return (await referenceFileNames()).filter((file) => /^openapi\.\d[\w.-]*\.json$/.test(file))
}

export interface ReferenceFiles {
  readonly document: OpenApiDocument
  readonly version: string
  /** What is kept when this is released. */
  readonly released: string
  /** Every other file of docs/reference, by its name. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * Makes all of docs/reference: from the cards, and from what an engine in memory answers to the examples.
 *
 * @param before JSON of the last release's document; undefined where there was none.
 */
export async function makeReference(before: string | undefined): Promise<ReferenceFiles> {
  const { operations } = createEngine({ storage: createMemoryStorage() })
  const { version } = JSON.parse(await readFile(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'))
  const document = openApiDocument(operations, { version, examples: await recordExamples() })
  const last: OpenApiDocument = before === undefined ? document : JSON.parse(before)
  const found = differences(contractOf(last), contractOf(document))
  const files = {
    'openapi.json': writeDocument(document),
    'changes.md': changeReport(found, last.info.version),
    ...referencePages(document),
  }
  return { document, version, released: writeDocument(withoutExamples(document)), files }
}
