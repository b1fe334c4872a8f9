import type { OpenApiDocument } from './open-api-document.ts'

/**
 * Returns a document as JSON with one line for each operation and each component: it is short, and a diff of two
 * versions shows the operations that changed.
 *
 * @example
 * ```ts
 * import { openApiDocument, writeDocument } from '@halyard/openapi'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const { operations } = await createTestEngine()
 * const json = writeDocument(openApiDocument(operations, { version: '1.0.0' }))
 * console.log(JSON.parse(json).info.version) // 1.0.0
 * ```
 */
export function writeDocument({ paths, components, ...rest }: OpenApiDocument): string {
  const head = Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  const pathLines = writeBlock(paths, (methods) => writeBlock(methods, JSON.stringify, 3), 2)
  const componentLines = writeBlock(components, (parts) => writeBlock(parts, JSON.stringify, 3), 2)
  return `{\n${[...head, `"paths": ${pathLines}`, `"components": ${componentLines}`].join(',\n')}\n}\n`
}

function writeBlock<T>(properties: Readonly<Record<string, T>>, write: (value: T) => string, depth: number): string {
  const indent = ' '.repeat(depth)
  const lines = Object.entries(properties).map(([name, value]) => `${indent}${JSON.stringify(name)}: ${write(value)}`)
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent.slice(1)}}`
}

/**
 * Returns the same document without its examples, which are not part of the contract.
 *
 * @example
 * ```ts
 * import { openApiDocument, withoutExamples, writeDocument } from '@halyard/openapi'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const { operations } = await createTestEngine()
 * const document = openApiDocument(operations, { version: '1.0.0' })
 * console.log(writeDocument(withoutExamples(document)).includes('"example"')) // false
 * ```
 */
export function withoutExamples(document: OpenApiDocument): OpenApiDocument {
  return removeExamples(document, false) as OpenApiDocument
}

/**
 * Returns a part of a document without examples.
 *
 * @param isMap true when the property names are user-defined, so that `examples` is one of them and not a keyword.
 */
function removeExamples(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((child) => removeExamples(child, false))
  if (typeof value !== 'object' || value === null) return value
  const properties = Object.entries(value).filter(([name]) => isMap || (name !== 'examples' && name !== 'example'))
  return Object.fromEntries(
    properties.map(([name, child]) => [name, removeExamples(child, !isMap && mapKeywords.has(name))]),
  )
}

const mapKeywords: ReadonlySet<string> = new Set(['properties', 'schemas', 'responses', 'paths'])
