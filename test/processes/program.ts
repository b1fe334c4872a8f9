import path from 'node:path'
import { root } from '../root.ts'

/** A file that Node runs as a process, with the Node options that it needs. */
export interface Program {
  readonly file: string
  readonly nodeOptions: readonly string[]
}

/**
 * Returns a TypeScript program that runs without a build; each start compiles everything that it imports.
 *
 * @param file path from the top of the repository.
 */
export function sourceProgram(file: string): Program {
  return { file: path.join(root, file), nodeOptions: ['--conditions=@halyard/source', '--import', 'tsx'] }
}
