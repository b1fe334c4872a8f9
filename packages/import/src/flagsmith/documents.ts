import { defaultEnvironmentKey, type ExportError, type ReadOptions } from '../flag-format.ts'
import { createKeyList } from '../imported-names.ts'
import { errorAt, pointer, readShape } from '../read-shape.ts'
import { documentOf, documentShape, exportedFeatureShape, type FlagsmithDocument } from './document.ts'

/** A document with the environment into which it is imported. */
export interface LocatedDocument {
  readonly document: FlagsmithDocument
  readonly environmentKey: string
  readonly environmentName: string
  /** JSON pointer to its position in the export. */
  readonly at: string
}

export type ReadDocuments = { readonly ok: true; readonly documents: readonly LocatedDocument[] } | ExportError

/**
 * Reads the documents of environments, either one after the other or in a list, or reads a feature export, which is one
 * document.
 *
 * A single document is imported into the requested environment, or by default into the environment that it names. Of
 * several documents, each must name its environment.
 */
export function readDocuments(values: readonly unknown[], { environmentKey }: ReadOptions): ReadDocuments {
  const read = values.length === 1 ? readDocument(values[0], '') : readEach(values, '')
  if (!isList(read)) return read
  const [only, ...others] = read
  if (!only) return errorAt('', 'must contain an environment')
  if (others.length === 0) return { ok: true, documents: [locateDocument(only, environmentKey)] }
  const keys = createKeyList(read.map(({ document }) => (document.name ?? '').toLowerCase()))
  const unnamed = read.find(({ document }) => !document.name)
  if (unnamed) return errorAt(pointer(unnamed.at, 'name'), 'must be present, because there are several environments')
  const documents = read.map((item) => locateDocument(item, keys.keyOf((item.document.name as string).toLowerCase())))
  const requested = documents.filter((item) => environmentKey === undefined || item.environmentKey === environmentKey)
  return requested.length > 0
    ? { ok: true, documents: requested }
    : errorAt('', `must contain the environment ${environmentKey}`)
}

type DocumentAtPath = { readonly document: FlagsmithDocument; readonly at: string }

/** A type guard for read-only lists, which `Array.isArray` does not narrow to. */
function isList(read: readonly DocumentAtPath[] | ExportError): read is readonly DocumentAtPath[] {
  return Array.isArray(read)
}

function locateDocument({ document, at }: DocumentAtPath, requestedKey: string | undefined): LocatedDocument {
  const name = document.name ?? requestedKey ?? defaultEnvironmentKey
  const lower = name.toLowerCase()
  return { document, at, environmentName: name, environmentKey: requestedKey ?? createKeyList([lower]).keyOf(lower) }
}

function readDocument(value: unknown, at: string): readonly DocumentAtPath[] | ExportError {
  if (Array.isArray(value)) return isFeatureExport(value) ? readFeatures(value, at) : readEach(value, at)
  const read = readShape(documentShape, value, at)
  return read.ok ? [{ document: read.value, at }] : read
}

function readEach(values: readonly unknown[], at: string): readonly DocumentAtPath[] | ExportError {
  const documents: DocumentAtPath[] = []
  for (const [index, value] of values.entries()) {
    const read = readDocument(value, pointer(at, index))
    if (!isList(read)) return read
    documents.push(...read)
  }
  return documents
}

function isFeatureExport(list: readonly unknown[]): boolean {
  return list.some(
    (item) => typeof item === 'object' && item !== null && !('feature_states' in item) && !Array.isArray(item),
  )
}

function readFeatures(list: readonly unknown[], at: string): readonly DocumentAtPath[] | ExportError {
  const features = []
  for (const [index, value] of list.entries()) {
    const read = readShape(exportedFeatureShape, value, pointer(at, index))
    if (!read.ok) return read
    features.push(read.value)
  }
  return [{ document: documentOf(features), at }]
}
