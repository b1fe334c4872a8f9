// The banner of the bundle has an import with the name `createRequire`.
import { createRequire as requireFrom } from 'node:module'
import path from 'node:path'
import { storageConformance } from '@halyard/conformance'
import { type OpenConnection, sqliteFiles } from '../setup/sqlite-files.ts'
import { conformanceHandler, type SuiteFactory } from './conformance-report.ts'

type Connect = (file: string) => OpenConnection | Promise<OpenConnection>
type DatabaseClass = new (file: string) => OpenConnection

/** Packages with a binary are not bundled. The copies in the repository's `node_modules` are used. */
const installed = requireFrom(path.join(process.cwd(), 'package.json'))

// The names of built-in modules are not constants, because each runtime has only one of them.
const builtIn = async (module: string, name: string): Promise<DatabaseClass> => (await import(module))[name]

/** Opens a file, by the name of the package or the module that does it. */
const connections: Readonly<Record<string, Connect>> = {
  libsql: (file) => new (installed('libsql') as DatabaseClass)(file),
  'better-sqlite3': (file) => new (installed('better-sqlite3') as DatabaseClass)(file),
  'node:sqlite': async (file) => new (await builtIn('node:sqlite', 'DatabaseSync'))(file),
  'bun:sqlite': async (file) => new (await builtIn('bun:sqlite', 'Database'))(file),
}

function suiteOf(connect: Connect): SuiteFactory {
  return () => {
    const files = sqliteFiles(connect)
    return { cases: storageConformance(files), close: async () => files.dispose() }
  }
}

const suites = Object.fromEntries(Object.entries(connections).map(([name, connect]) => [name, suiteOf(connect)]))

export default { fetch: conformanceHandler(suites) }
