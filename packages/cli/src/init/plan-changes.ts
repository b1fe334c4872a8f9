import { existsSync } from 'node:fs'
import path from 'node:path'
import { cliError } from '../cli-error.ts'
import type { Application } from './application.ts'
import { engineFileText, routeText } from './engine-file.ts'
import { findEntry, mountedText } from './mount.ts'

/** A file that is written or changed. */
export interface FileChange {
  /** Path from the folder of the application. */
  readonly file: string
  readonly text: string
  readonly isNew: boolean
  readonly purpose: string
}

/** The changes to the files of an application. */
export interface PlannedChanges {
  readonly changes: readonly FileChange[]
  /** Path of the module with the engine, from the folder of the application. */
  readonly engineFile: string
}

export interface PlanOptions {
  readonly mountPath: string
  /** File that creates the server. Default: the file that `findEntry` finds. */
  readonly entry: string | undefined
}

/**
 * Plans the file with the engine and the line that mounts it, without writing anything.
 *
 * @throws CliError when a file that would be written exists, or the application has another form than expected.
 */
export function planChanges(application: Application, options: PlanOptions): PlannedChanges {
  const plan = application.framework === 'next' ? planNext(application, options) : planEntry(application, options)
  for (const { file, isNew } of plan.changes)
    if (isNew && existsSync(path.join(application.folder, file)))
      throw cliError(`${file} exists already; nothing was changed`)
  return plan
}

function planEntry(application: Application, { mountPath, entry: named }: PlanOptions): PlannedChanges {
  const { framework, name: projectName, needsExtensions } = application
  if (framework === 'next') throw new TypeError('Next has no file that creates a server')
  const entry = findEntry(application, framework, named)
  const extension = path.extname(entry.file)
  const isTypeScript = extension.endsWith('ts')
  const isModule = isTypeScript || extension === '.mjs' || (application.isModule && extension === '.js')
  const engineFile = path.join(path.dirname(entry.file), `halyard${extension}`)
  const compiled = extension.replace('ts', 'js')
  const specifier = `./halyard${needsExtensions || compiled !== '.js' || (isModule && !isTypeScript) ? compiled : ''}`
  const text = engineFileText({ framework, mountPath, projectName, isTypeScript, isModule })
  return {
    engineFile,
    changes: [
      { file: engineFile, text, isNew: true, purpose: 'the engine' },
      {
        file: entry.file,
        text: mountedText(entry, framework, { specifier, mountPath }),
        isNew: false,
        purpose: `mounts the engine at ${mountPath}`,
      },
    ],
  }
}

function planNext(
  { folder, name: projectName, isTypeScript }: Application,
  { mountPath }: PlanOptions,
): PlannedChanges {
  const source = ['src', '.'].find((each) => existsSync(path.join(folder, each, 'app')))
  if (source === undefined) throw cliError('the application has no App Router: neither app nor src/app exists')
  const extension = isTypeScript ? 'ts' : 'js'
  const engineFile = path.join(source, `halyard.${extension}`)
  const route = path.join(source, 'app', mountPath, '[...path]', `route.${extension}`)
  const specifier = path.relative(path.dirname(route), path.join(source, 'halyard')).replaceAll(path.sep, '/')
  const text = engineFileText({ framework: 'next', mountPath, projectName, isTypeScript, isModule: true })
  return {
    engineFile,
    changes: [
      { file: engineFile, text, isNew: true, purpose: 'the engine' },
      { file: route, text: routeText(specifier), isNew: true, purpose: `mounts the engine at ${mountPath}` },
    ],
  }
}
