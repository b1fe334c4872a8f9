import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import { forServers } from '../homes/bundle-modules.ts'
import { root } from '../root.ts'

/** PGlite finds its WebAssembly beside itself, and so stays where it is. */
const pgliteWhereItIs: Plugin = {
  name: 'pglite-where-it-is',
  setup(build) {
    const file = path.join(root, 'node_modules/@electric-sql/pglite/dist/index.js')
    build.onResolve({ filter: /^@electric-sql\/pglite$/ }, () => ({ path: pathToFileURL(file).href, external: true }))
  },
}

/** How the suites of servers are bundled. */
export const serverBundle: BuildOptions = {
  ...forServers,
  // The first is faster and has to be compiled; the second is for workers.
  external: ['pg-native', 'pg-cloudflare'],
  plugins: [pgliteWhereItIs],
}
