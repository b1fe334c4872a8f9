import type { Program } from '../processes/program.ts'
import { testService } from './test-services.ts'

const bundles = await testService('bundles')

/**
 * Returns the bundle of a TypeScript program, which starts ten times as fast as the program.
 *
 * @param file path from the root of the repository.
 * @throws Error for a file that is not bundled.
 */
export function bundledProgram(file: string): Program {
  const bundle = bundles[file]
  if (bundle === undefined) throw new Error(`${file} is not bundled: add it to the programs in test/setup/bundles.ts`)
  return { file: bundle, nodeOptions: ['--enable-source-maps'] }
}

/** Returns the command line that runs the bundle of a program in a shell. */
export function bundledCommand(file: string): string {
  const program = bundledProgram(file)
  return [process.execPath, ...program.nodeOptions, program.file].join(' ')
}
