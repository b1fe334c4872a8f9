import { inject } from 'vitest'
import type { Program } from '../processes/program.ts'

/**
 * Returns a TypeScript program from the bundles that the global setup provides: it starts in a tenth of the time.
 *
 * @param file path from the top of the repository.
 * @throws Error for a file that is not bundled.
 */
export function bundledProgram(file: string): Program {
  const bundle = inject('bundles')[file]
  if (bundle === undefined) throw new Error(`${file} is not bundled: add it to the programs in test/setup/bundles.ts`)
  return { file: bundle, nodeOptions: ['--enable-source-maps'] }
}
