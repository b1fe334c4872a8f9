import { isDeepStrictEqual } from 'node:util'
import type { ProjectFile } from './project-file.ts'

const header = `// Flags as code. "halyard plan" shows what a change of this file would do, "halyard apply" makes it.
import type { ProjectFile } from '@halyard/import'
`

/**
 * Returns a file as a TypeScript module that exports `project`.
 *
 * @param existing the file that is replaced, and its text. The same text is returned when the content is the same.
 */
export function projectModuleText(
  file: ProjectFile,
  existing?: { readonly file: ProjectFile; readonly text: string },
): string {
  const plain: unknown = JSON.parse(JSON.stringify(file))
  if (existing && isDeepStrictEqual(JSON.parse(JSON.stringify(existing.file)), plain)) return existing.text
  return `${header}\nexport const project = ${JSON.stringify(plain, undefined, 2)} satisfies ProjectFile\n`
}
