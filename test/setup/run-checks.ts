import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { root } from '../root.ts'

/** The checks that need no database and no build, with the command of each. */
const checks: readonly (readonly [name: string, command: string, ...parameters: string[]])[] = [
  ['lint and format', 'biome', 'check', '.'],
  ['types', 'tsc', '-b', '--checkers', '1'],
  ['conventions', 'vitest', 'run', '--project', 'conventions', '--reporter', 'dot'],
]

// `npm run check` also follows the recipes of CONTRIBUTING.md, which the tests leave to long runs.
const env = {
  ...process.env,
  HALYARD_LONG_TESTS: '1',
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
}

// Runs all checks, even if one fails, so that one run shows everything that must be corrected.
const lines = checks.map(([name, command, ...parameters]) => {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) {
    process.stdout.write(`${stdout}${stderr}\n`)
    process.exitCode = 1
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  return `${status === 0 ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`
})
process.stdout.write(`${lines.join('\n')}\n`)
