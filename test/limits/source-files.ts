import { readdirSync } from 'node:fs'

export { root } from '../source-imports.ts'

/** Returns the paths of source files below a folder, relative to it, without tests and test fixtures. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$|(^|\/)test\//.test(file))
}
