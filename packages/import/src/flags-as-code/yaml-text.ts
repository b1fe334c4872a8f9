import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, parseDocument, stringify, type YAMLMap } from 'yaml'
import type { ProjectFile } from './project-file.ts'

const layout = { lineWidth: 0, aliasDuplicateObjects: false } as const

const header = `# Flags as code. "halyard plan" shows what a change of this file would do, "halyard apply" makes it.\n`

/**
 * Returns a file as YAML.
 *
 * @param existing the text of the file that is replaced. A comment remains if the part beside it is also in the new
 *   file. The same text is returned when the content is the same.
 */
export function projectFileText(file: ProjectFile, existing?: string): string {
  if (existing === undefined) return header + stringify(file, layout)
  const document = parseDocument(existing)
  if (isDeepStrictEqual(document.toJS(), plain(file))) return existing
  if (!isMap(document.contents)) return header + stringify(file, layout)
  update(document, document.contents, plain(file) as Readonly<Record<string, unknown>>)
  return document.toString(layout)
}

/** Sets the entries of a map that differ from the desired ones, and removes entries that are not desired. */
function update(document: Document, map: YAMLMap, desired: Readonly<Record<string, unknown>>): void {
  const current = (map.toJS(document) ?? {}) as Readonly<Record<string, unknown>>
  for (const name of Object.keys(current)) if (!Object.hasOwn(desired, name)) map.delete(name)
  for (const [name, value] of Object.entries(desired)) {
    if (isDeepStrictEqual(current[name], value)) continue
    const node = map.get(name, true)
    if (isMap(node) && isObject(value)) update(document, node, value)
    else map.set(name, document.createNode(value))
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function plain(file: ProjectFile): unknown {
  return JSON.parse(JSON.stringify(file))
}
