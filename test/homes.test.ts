import path from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { type Bundles, bundleModules, forServers } from './homes/bundle-modules.ts'
import { serveProgram } from './homes/serve-program.ts'
import { hostToken, testHost } from './homes/test-host.ts'
import { root } from './root.ts'
import { runtimeBinary } from './runtimes/runtime-binary.ts'
import { writeWorkerdConfig } from './runtimes/workerd-config.ts'
import { longTests } from './setup/long-tests.ts'

/** Hosts that start a server of their own, with the base path of the API. */
const servers = {
  express: { entry: 'docs/examples/homes/express/server.mjs', base: '/features' },
  'node-http': { entry: 'docs/examples/homes/node-http/server.ts', base: '' },
  hono: { entry: 'docs/examples/homes/hono/server.ts', base: '/features' },
  fastify: { entry: 'docs/examples/homes/fastify/server.ts', base: '/features' },
  nest: { entry: 'docs/examples/homes/nest/server.ts', base: '/features' },
}

/** Hosts that a platform calls; a small program replaces the platform. */
const functions = {
  next: { entry: 'test/homes/serve-next-route.ts' },
  workers: { entry: 'test/homes/serve-worker.ts' },
  lambda: { entry: 'test/homes/serve-lambda.ts' },
}

const env = { HALYARD_TOKEN: hostToken, PORT: '0' }

let bundles: Bundles
beforeAll(async () => {
  const entries = Object.entries({ ...servers, ...functions }).map(([name, { entry }]) => [name, entry])
  bundles = await bundleModules(Object.fromEntries(entries), forServers)
})
afterAll(() => bundles.remove())

describe.each(Object.entries(servers))('%s', (name, { base }) => {
  testHost(() => serveProgram(process.execPath, [bundles.fileOf(name)], { env }), base)
})

describe.each(Object.keys(functions))('%s, called like its platform calls it', (name) => {
  testHost(() => serveProgram(process.execPath, [bundles.fileOf(name)], { env }))
})

// The binaries of these runtimes are downloaded.
describe.runIf(longTests)('hosts in their own runtime', () => {
  const timeout = 300_000

  // Deno and Bun run the TypeScript sources.
  const inDeno = async (file: string) => {
    const permissions = ['--no-prompt', '--allow-env=HALYARD_TOKEN,NODE_ENV']
    const args = ['serve', '--conditions=@halyard/source', ...permissions, '--host=127.0.0.1', '--port=0', file]
    return serveProgram(await runtimeBinary('Deno'), args, { cwd: root, env })
  }
  const inBun = async (...args: string[]) =>
    serveProgram(await runtimeBinary('Bun'), ['--conditions=@halyard/source', ...args], { cwd: root, env })

  describe('deno', () => testHost(() => inDeno('docs/examples/homes/deno/server.ts'), '', timeout))
  describe('bun', () => testHost(() => inBun('docs/examples/homes/bun/server.ts'), '', timeout))

  describe('workers', () => {
    let worker: Bundles
    beforeAll(async () => {
      worker = await bundleModules({ worker: 'docs/examples/homes/workers/worker.ts' })
    })
    afterAll(() => worker.remove())
    const start = async () => {
      const config = writeWorkerdConfig(worker.fileOf('worker'), { HALYARD_TOKEN: hostToken })
      return serveProgram(await runtimeBinary('workerd'), ['serve', config, '--control-fd=1'])
    }
    testHost(start, '', timeout)
  })

  describe('hono in Deno', () => testHost(() => inDeno('docs/examples/homes/hono/app.ts'), '/features', timeout))
  describe('hono in Bun', () => {
    // `bun run` would listen on all interfaces of the machine.
    const start = () => inBun('test/runtimes/serve-bun.mjs', path.join(root, 'docs/examples/homes/hono/app.ts'))
    testHost(start, '/features', timeout)
  })

  // Hosts written for Node, run by other runtimes.
  describe.each(['express', 'node-http'] as const)('%s', (name) => {
    const { base } = servers[name]
    const start = (runtime: 'Deno' | 'Bun', ...args: string[]) =>
      runtimeBinary(runtime).then((program) => serveProgram(program, [...args, bundles.fileOf(name)], { env }))
    describe('in Deno', () => testHost(() => start('Deno', 'run', '--no-prompt', '-A'), base, timeout))
    describe('in Bun', () => testHost(() => start('Bun'), base, timeout))
  })
})
