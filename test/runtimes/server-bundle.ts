import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import { forServers } from '../homes/bundle-modules.ts'
import { root } from '../root.ts'

/** PGlite must not be bundled, because it loads its WebAssembly from its own folder. */
const externalPglite: Plugin = {
  name: 'pglite-where-it-is',
  setup(build) {
    const file = path.join(root, 'node_modules/@electric-sql/pglite/dist/index.js')
    build.onResolve({ filter: /^@electric-sql\/pglite$/ }, () => ({ path: pathToFileURL(file).href, external: true }))
  },
}

/** Build options of the suites for servers. */
export const serverBundle: BuildOptions = {
  ...forServers,
  // `pg-native` has to be compiled; `pg-cloudflare` is for workers.
  external: ['pg-native', 'pg-cloudflare'],
  plugins: [externalPglite],
}
