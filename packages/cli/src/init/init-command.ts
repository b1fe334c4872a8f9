import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { cliError, usageError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { describeOptions, type OptionDeclaration, readOptions } from '../options.ts'
import { ownVersion } from '../own-version.ts'
import { type Application, frameworks, readApplication } from './application.ts'
import { packagesFor } from './engine-file.ts'
import { addCommand, installPackages, packageArguments } from './install-packages.ts'
import { type FileChange, type PlannedChanges, planChanges } from './plan-changes.ts'

const options = {
  framework: { type: 'string', help: `${frameworks.join(', ')}; default: the one in package.json` },
  entry: {
    type: 'string',
    help: 'file that creates the server; default: app, index, server or main, in src or beside package.json',
  },
  path: { type: 'string', preset: '/features', help: 'path at which the API is mounted' },
  packages: { type: 'string', help: 'folder of packed Halyard packages to install instead of those in the registry' },
  'skip-install': { type: 'boolean', help: 'install no packages; the command that does is printed' },
  'dry-run': { type: 'boolean', help: 'print what would be done, and do nothing' },
} as const satisfies Record<string, OptionDeclaration>

/** The command that adds an engine to the application in a folder. */
export const initCommand: Command = {
  usage: 'init [folder] [options]',
  summary: `add feature flags to an application of ${frameworks.join(', ')}`,
  options: describeOptions(options),
  async run(args, terminal) {
    const { values, positionals } = readOptions(options, args, {})
    const [folder = '.', ...rest] = positionals
    if (rest.length > 0) throw usageError('the command needs one folder at most')
    const mountPath = `/${(values.path as string).replaceAll(/^\/+|\/+$/g, '')}`
    if (!/^(\/[\w-]+)+$/.test(mountPath)) throw usageError('--path must be a path such as /features')
    const application = await readApplication(path.resolve(folder), values.framework)
    const plan = planChanges(application, { mountPath, entry: values.entry })
    // All packages of Halyard have the same version.
    const needed = packagesFor(application.framework, `^${await ownVersion()}`)
    const packages = packageArguments(needed, values.packages)
    const isInstalled = values['skip-install'] === undefined
    const lines = reportLines(application, plan, packages, { isInstalled, mountPath })
    if (values['dry-run'] !== undefined) {
      terminal.stdout.write(`Nothing is changed, because of --dry-run.\n\n${lines}`)
      return
    }
    if (isInstalled) {
      terminal.stderr.write(`installing packages with ${application.packageManager} ...\n`)
      await installPackages(application, packages, terminal)
    }
    for (const change of plan.changes) await write(application.folder, change)
    terminal.stdout.write(lines)
  },
}

/** Writes a planned file. Fails if a file that the plan creates exists now, because another process has created it. */
async function write(folder: string, { file, text, isNew }: FileChange): Promise<void> {
  const target = path.join(folder, file)
  try {
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, text, { flag: isNew ? 'wx' : 'w' })
  } catch (error) {
    throw cliError(`${file} could not be written: ${(error as NodeJS.ErrnoException).code}`, error)
  }
}

/** Returns what was done and the commands that follow. */
function reportLines(
  application: Application,
  { changes, engineFile }: PlannedChanges,
  packages: readonly string[],
  { isInstalled, mountPath }: { readonly isInstalled: boolean; readonly mountPath: string },
): string {
  const { framework, packageManager } = application
  const add = addCommand(packageManager, packages).join(' ')
  const files = changes.map(({ file, isNew, purpose }) => `  ${isNew ? 'new    ' : 'changed'}  ${file} (${purpose})`)
  const token = randomBytes(20).toString('hex')
  const server = `HALYARD_URL=http://localhost:3000${mountPath} HALYARD_TOKEN=${token}`
  return `Feature flags for ${application.name} (${framework}, ${packageManager})

${isInstalled ? `  added    ${packages.map(nameOf).join(', ')}\n` : ''}${files.join('\n')}

${isInstalled ? '' : `Install the packages:\n\n  ${add}\n\n`}Start the application for the first time, with a token for its administrator:

  HALYARD_TOKEN=${token} ${startCommand(application)}

Then create a flag, turn it on and evaluate it, with the address of your application:

  export ${server} HALYARD_PROJECT=default HALYARD_ENVIRONMENT=production
  npx @halyard/cli flags create --key checkout --name Checkout
  npx @halyard/cli flags on checkout
  echo '{"kind":"user","key":"ann"}' | npx @halyard/cli evaluate checkout --context -

In code, \`flags\` of ${engineFile} evaluates it:

  flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false).value

The flags are in flags.db, which does not belong in version control.
`
}

/** Returns the name in an argument such as `libsql@^0.5.29` or a path of a packed package. */
function nameOf(argument: string): string {
  return argument.endsWith('.tgz') ? path.basename(argument) : argument.replace(/(?<=.)@[^@]*$/, '')
}

function startCommand({ scripts, packageManager }: Application): string {
  const script = ['dev', 'start:dev', 'start'].find((name) => scripts[name] !== undefined)
  if (script === undefined) return '<your start command>'
  return packageManager === 'npm' && script !== 'start' ? `npm run ${script}` : `${packageManager} ${script}`
}
