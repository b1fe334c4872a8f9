import { type ExportFault, presetEnvironment, type ReadOptions } from '../flag-format.ts'
import { createKeyList } from '../moved-names.ts'
import { faultAt, pointer, readShape } from '../read-shape.ts'
import { documentOf, documentShape, exportedFeatureShape, type FlagsmithDocument } from './document.ts'

/** A document, and the environment that it is imported into. */
export interface PlacedDocument {
  readonly document: FlagsmithDocument
  readonly environmentKey: string
  readonly environmentName: string
  /** JSON pointer to its position in the export. */
  readonly at: string
}

export type ReadDocuments = { readonly ok: true; readonly documents: readonly PlacedDocument[] } | ExportFault

/**
 * Reads the documents of environments, one after the other or in a list; or a feature export, which is one document.
 *
 * A single document is imported into the requested environment, or else into the one that it names. Of several
 * documents, each must name its environment.
 */
export function readDocuments(values: readonly unknown[], { environmentKey }: ReadOptions): ReadDocuments {
  const read = values.length === 1 ? readOne(values[0], '') : readEach(values, '')
  if (!isList(read)) return read
  const [only, ...others] = read
  if (!only) return faultAt('', 'must contain an environment')
  if (others.length === 0) return { ok: true, documents: [placed(only, environmentKey)] }
  const keys = createKeyList(read.map(({ document }) => (document.name ?? '').toLowerCase()))
  const unnamed = read.find(({ document }) => !document.name)
  if (unnamed) return faultAt(pointer(unnamed.at, 'name'), 'must be present, because there are several environments')
  const documents = read.map((one) => placed(one, keys.keyOf((one.document.name as string).toLowerCase())))
  const asked = documents.filter((one) => environmentKey === undefined || one.environmentKey === environmentKey)
  return asked.length > 0 ? { ok: true, documents: asked } : faultAt('', `must contain the environment ${environmentKey}`)
}

type Found = { readonly document: FlagsmithDocument; readonly at: string }

/** A type guard for read-only lists, which `Array.isArray` does not narrow to. */
function isList(read: readonly Found[] | ExportFault): read is readonly Found[] {
  return Array.isArray(read)
}

function placed({ document, at }: Found, asked: string | undefined): PlacedDocument {
  const name = document.name ?? asked ?? presetEnvironment
  const lower = name.toLowerCase()
  return { document, at, environmentName: name, environmentKey: asked ?? createKeyList([lower]).keyOf(lower) }
}

function readOne(value: unknown, at: string): readonly Found[] | ExportFault {
  if (Array.isArray(value)) return isFeatureExport(value) ? readFeatures(value, at) : readEach(value, at)
  const read = readShape(documentShape, value, at)
  return read.ok ? [{ document: read.value, at }] : read
}

function readEach(values: readonly unknown[], at: string): readonly Found[] | ExportFault {
  const found: Found[] = []
  for (const [index, value] of values.entries()) {
    const read = readOne(value, pointer(at, index))
    if (!isList(read)) return read
    found.push(...read)
  }
  return found
}

function isFeatureExport(list: readonly unknown[]): boolean {
  return list.some(
    (one) => typeof one === 'object' && one !== null && !('feature_states' in one) && !Array.isArray(one),
  )
}

function readFeatures(list: readonly unknown[], at: string): readonly Found[] | ExportFault {
  const features = []
  for (const [index, value] of list.entries()) {
    const read = readShape(exportedFeatureShape, value, pointer(at, index))
    if (!read.ok) return read
    features.push(read.value)
  }
  return [{ document: documentOf(features), at }]
}
