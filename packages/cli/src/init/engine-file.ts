import type { Framework } from './application.ts'

/** Describes the file with the engine: its mount path, and the form of modules in the application. */
export interface EngineFile {
  readonly framework: Framework
  /** Path under which the application serves the API, e.g. `/features`. */
  readonly mountPath: string
  /** Name of the project that is created at the first start. */
  readonly projectName: string
  readonly isTypeScript: boolean
  /** True for `import` and `export`; false for `require` and `exports`. */
  readonly isModule: boolean
}

const usesFetch = (framework: Framework) => framework === 'hono' || framework === 'next'

/**
 * Returns the packages that the file of a framework imports.
 *
 * @param version version of Halyard's packages, e.g. `^0.1.0`.
 * @returns versions by the names of the packages.
 */
export function packagesFor(framework: Framework, version: string): Readonly<Record<string, string>> {
  const transport = usesFetch(framework) ? '@halyard/transport-fetch' : '@halyard/transport-express'
  return { '@halyard/core': version, '@halyard/storage-sqlite': version, [transport]: version, libsql: '^0.5.29' }
}

/** Returns the text of the file that opens the engine and handles requests under the mount path. */
export function engineFileText(file: EngineFile): string {
  const handler = usesFetch(file.framework) ? fetchHandler(file) : expressHandler(file)
  const text = `${[imports(file), engine, opening(file), handler].join('\n\n')}\n`
  return file.isModule ? text : toCommonJs(text)
}

/** Returns a type for the file of a program in TypeScript, and nothing for one in JavaScript. */
const typed = ({ isTypeScript }: EngineFile, type: string) => (isTypeScript ? `: ${type}` : '')

function imports(file: EngineFile): string {
  const type = file.isTypeScript ? ', type ExpressHandler' : ''
  const transport = usesFetch(file.framework)
    ? "import { createFetchHandler, withSdk } from '@halyard/transport-fetch'"
    : `import { createExpressHandler, createExpressSdk${type} } from '@halyard/transport-express'`
  return `import { createEngine } from '@halyard/core'
import { createSqliteStorage } from '@halyard/storage-sqlite'
${transport}
import Database from 'libsql'`
}

const engine = `const database = new Database(process.env.HALYARD_DATABASE ?? 'flags.db')

/** The engine, which stores flags in the file \`flags.db\`. */
export const engine = createEngine({ storage: createSqliteStorage({ database }) })

/** The flags in production: \`flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false).value\`. */
export const flags = engine.evaluator({ projectKey: 'default', environmentKey: 'production' })`

const opening = (file: EngineFile) => `let opened${typed(file, 'Promise<void> | undefined')}

/** Prepares the storage once, and again after a failure. */
export function openFlags()${typed(file, 'Promise<void>')} {
  opened ??= open().catch((error) => {
    opened = undefined
    throw error
  })
  return opened
}

async function open()${typed(file, 'Promise<void>')} {
  await engine.migrate()
  const created = await engine.bootstrap({ token: process.env.HALYARD_TOKEN })
  if (!created) return
  if (!process.env.HALYARD_TOKEN) console.log(\`Administrator's token of the flags, shown only now: \${created.token}\`)
  const project = { key: 'default', name: ${JSON.stringify(file.projectName)} }
  await engine.api.createProject({ body: project }, { as: created.token })
}`

const openAtStart = "openFlags().catch((error) => console.error('the flags could not be opened', error))"

const expressHandler = (file: EngineFile) => `const api = createExpressHandler(engine)
const sdks = createExpressSdk(engine)

/** Serves the API and the endpoints for SDKs. */
export const features${typed(file, 'ExpressHandler')} = (req, res, next) => {
  const handle = () => sdks(req, res, () => api(req, res, next))
  openFlags().then(handle, (error) => (next ? next(error) : res.destroy(error)))
}

${openAtStart}`

/**
 * Returns the code of the fetch handler. Hono removes the mount path from requests. Next does not remove it, and also
 * loads the file during its build.
 */
function fetchHandler(file: EngineFile): string {
  const path = `'${file.mountPath}'`
  const isHono = file.framework === 'hono'
  const handler = isHono
    ? `withSdk(createFetchHandler(engine, { mountPath: ${path} }), engine)`
    : `withSdk(createFetchHandler(engine, { basePath: ${path} }), engine, { basePath: ${path} })`
  return `const handler = ${handler}

/** Serves the API and the endpoints for SDKs. */
export async function features(request${typed(file, 'Request')})${typed(file, 'Promise<Response>')} {
  await openFlags()
  return handler(request)
}${isHono ? `\n\n${openAtStart}` : ''}`
}

function toCommonJs(text: string): string {
  const names = [...text.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(([, name]) => name)
  const required = text
    .replaceAll(/^import (.*?) from ('.*')$/gm, 'const $1 = require($2)')
    .replaceAll(/^export /gm, '')
  return `${required}\nmodule.exports = { ${names.join(', ')} }\n`
}

/**
 * Returns the text of the route of Next that passes every request under the mount path to the engine.
 *
 * @param specifier module with the engine.
 */
export function routeText(specifier: string): string {
  return `import { features } from '${specifier}'

// Without this, Next would run GET requests during the build.
export const dynamic = 'force-dynamic'

export { features as DELETE, features as GET, features as PATCH, features as POST, features as PUT }
`
}
