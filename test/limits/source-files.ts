import { readdirSync } from 'node:fs'

export { root } from '../source-imports.ts'

/** Source files below a folder, from there, without tests and what stands beside them. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$|(^|\/)test\//.test(file))
}
