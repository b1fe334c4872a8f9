import { inject } from 'vitest'
import type { Program } from '../processes/program.ts'

/**
 * A program of TypeScript from the bundles that the global setup provides: it starts in a tenth of the time.
 *
 * @param file from the top of the repository.
 * @throws Error for a file that is not among those that are bundled.
 */
export function bundledProgram(file: string): Program {
  const bundle = inject('bundles')[file]
  if (bundle === undefined) throw new Error(`${file} is not bundled: name it in test/setup/bundles.ts`)
  return { file: bundle, nodeOptions: ['--enable-source-maps'] }
}
