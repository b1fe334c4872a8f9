import path from 'node:path'
import { root } from '../root.ts'

/** A file that Node runs as a process, and what Node must be told so that it can. */
export interface Program {
  readonly file: string
  readonly nodeOptions: readonly string[]
}

/**
 * A program of TypeScript, run as it is: nothing has to be prepared, but each start compiles all that it imports.
 *
 * @param file from the top of the repository.
 */
export function unbuilt(file: string): Program {
  return { file: path.join(root, file), nodeOptions: ['--conditions=@halyard/source', '--import', 'tsx'] }
}
