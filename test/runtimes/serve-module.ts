import path from 'node:path'
import { type Serving, serveProgram } from '../homes/serve-program.ts'
import { root } from '../root.ts'
import { runtimeBinary } from './runtime-binary.ts'
import { writeWorkerdConfig } from './workerd-config.ts'

/** Starts a runtime that serves the `fetch` of a bundled module. */
export type ServeModule = (module: string) => Promise<Serving>

const scriptPath = (name: string) => path.join(root, 'test/runtimes', name)

const inNode = (binary: () => string | Promise<string>) => async (module: string) =>
  serveProgram(await binary(), [scriptPath('serve-node.mjs'), module])

const inDeno = async (module: string, ...permissions: string[]) =>
  serveProgram(await runtimeBinary('Deno'), [
    'run',
    '--no-prompt',
    ...permissions,
    scriptPath('serve-deno.mjs'),
    module,
  ])

const inBun = async (module: string) => serveProgram(await runtimeBinary('Bun'), [scriptPath('serve-bun.mjs'), module])

const nodes = {
  [`Node ${process.versions.node}`]: inNode(() => process.execPath),
  'Node 22': inNode(() => runtimeBinary('Node 22')),
  'Node 24': inNode(() => runtimeBinary('Node 24')),
}

/** Every runtime, started with only the permissions that it needs to serve. */
export const edgeRuntimes: Readonly<Record<string, ServeModule>> = {
  ...nodes,
  Deno: (module) => inDeno(module, '--allow-net=127.0.0.1', `--allow-read=${path.dirname(module)}`),
  Bun: inBun,
  workerd: async (module) =>
    serveProgram(await runtimeBinary('workerd'), ['serve', writeWorkerdConfig(module), '--control-fd=1']),
}

/** Runtimes that have sockets and files. */
export const serverRuntimes: Readonly<Record<string, ServeModule>> = {
  ...nodes,
  Deno: (module) => inDeno(module, '--allow-all'),
  Bun: inBun,
}
